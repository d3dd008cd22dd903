import { expect, test } from 'vitest';

import { Call, type Helper } from '../../generator/model/calls.ts';
import { rowOf } from '../../generator/model/field-types.ts';
import type { FieldType } from '../../generator/model/model.ts';
import { CliError } from '../../runtime/model/errors.ts';

// The commands give the compiler's message if it has not run.
test('a format without a helper is named, with what to add', () => {
  const call = new Call('iban' as Helper);
  expect(() => call.result()).toThrow(CliError);
  expect(() => call.result()).toThrow(/^runtime\/model\/fields\.ts exports no function iban, .*CONTRIBUTING\.md/);
});

test('a format without a row is named, with what to add', () => {
  const type = { type: 'iban' } as unknown as FieldType;
  expect(() => rowOf(type)).toThrow(CliError);
  expect(() => rowOf(type)).toThrow(/^generator\/model\/field-types\.ts has no row for iban, .*CONTRIBUTING\.md/);
});
