import { beforeAll, describe, expect, test } from 'vitest';

import type { Field, FieldType } from '../support/resources.ts';
import { type Problem, expectRefused } from '../support/problem.ts';
import { type Json, type Stored, create, list, retrieve, storedIn, update } from '../support/records.ts';
import { type Body, fullBody, minimalBody, sample } from '../support/samples.ts';
import { emptyParent } from './empty-parent.ts';
import { resources } from './interface.ts';
import { sharedServer } from './server.ts';

const server = sharedServer();

const wrongValues: Readonly<Record<FieldType, readonly Json[]>> = {
  string: [12, 0, true, ['a'], [], { a: 'b' }, {}],
  integer: ['12', '', 1.5, 9007199254740992, -9007199254740992, 1e300, true, [1], { a: 1 }],
  number: ['12', '', 'NaN', true, [1.5], [], { a: 1 }],
  array: ['a', 1, true, {}, [null], [[]], [{}]],
  object: ['{}', 1, true],
  boolean: [1, 0, 'true', '', [true], [], { a: true }],
};

const wrongTexts = ['\0', 'a\0b', '\ud800', '\udc00\ud800', '🙂\ud83d'];
const rightTexts = ['', ' ', '12', 'null', '2026-02-30', '\u0001\u007f\u2028\uffff', "'; --", '👩‍👩‍👧 é é'];

const wrongDates = [
  '2026-02-29',
  '1900-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-1-5',
  '26-01-05',
  '2026/01/05',
  '20260105',
  '2026-01-05T00:00:00Z',
  '2026-01-05 ',
  '2026-01-05\n',
  'yesterday',
  '',
];
const rightDates = ['2028-02-29', '2000-02-29', '2026-12-31', '1970-01-01', '1900-02-28'];

const integersAsWritten = {
  '0': 0,
  '-0': 0,
  '1.0': 1,
  '1e3': 1000,
  '-2147483649': -2147483649,
  '9007199254740991': 9007199254740991,
  '-9007199254740991': -9007199254740991,
};
const doubles = [
  0.1 + 0.2,
  1 / 3,
  5e-324,
  2.2250738585072014e-308,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  1e21,
  1e23,
  2 ** 53 + 2,
  2 ** 63,
  -(2 ** 64),
  123456789.98765433,
];

/** The longest value of a text field, in characters. */
const longest = (resource: string, field: string): number =>
  resource === 'signing_document_data' && (field === 'data' || field === 'initial_data') ? 10_485_760 : 65_536;

/** One body for each round, with a value for each of the fields: every field sees every one of its values. */
function rounds(fields: readonly Field[], valuesOf: (field: Field) => readonly Json[]): Body[] {
  const most = Math.max(0, ...fields.map((field) => valuesOf(field).length));
  return Array.from({ length: most }, (_, round) =>
    Object.fromEntries(
      fields.map((field) => {
        const values = valuesOf(field);
        return [field[0], values[round % values.length]!];
      }),
    ),
  );
}

function inGroups<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

describe.each(resources)('$name', (resource) => {
  const { kind, path, fields } = resource;
  // The checks of a type are the same everywhere: each fourth resource sees every value, the others the first three.
  const some = <T>(values: readonly T[]): readonly T[] => values.slice(0, resources.indexOf(resource) % 4 ? 3 : 99);
  const hasCreate = kind !== 'singleton';
  let parentId: string | undefined;
  let stored: Stored; // what one field after another is changed in, always as last answered

  beforeAll(async () => {
    if (kind === 'line-item') parentId = await emptyParent(server, resource);
    if (hasCreate) stored = await create(server, path, fullBody(resource, parentId));
    else stored = storedIn(await server.request('GET', path));
    await change(fullBody(resource, parentId)); // changes a singleton only
  });

  async function change(patch: Body): Promise<void> {
    const answer = await update(server, path, stored.id, patch);
    const times = kind === 'line-item' ? {} : { updated_at: answer['updated_at']! };
    expect(answer).toEqual({ ...stored, ...patch, ...times });
    stored = answer;
  }

  async function state(): Promise<unknown> {
    if (kind === 'line-item') return list(server, path, { parent_id: parentId! });
    if (kind === 'singleton') return storedIn(await server.request('GET', path));
    return [(await list(server, path, { limit: 1 })).total, await retrieve(server, path, stored.id)];
  }

  /** Sees each of these bodies refused, by create and by update, for every field in it, and all of them without effect. */
  async function expectAllRefused(bodies: readonly Body[]): Promise<Problem[]> {
    const before = await state();
    const problems: Problem[] = [];
    for (const body of bodies) {
      const pointers = Object.keys(body).map((name) => `/${name}`);
      problems.push(expectRefused(await server.request('PATCH', `${path}/${stored.id}`, body), ...pointers));
      if (!hasCreate) continue;
      const whole = { ...fullBody(resource, parentId), ...body };
      problems.push(expectRefused(await server.request('POST', path, whole), ...pointers));
    }
    expect(await state()).toEqual(before);
    return problems;
  }

  // A parent that must exist is tested beside the parents.
  const isFree = ([name]: Field): boolean =>
    !(resource.kind === 'line-item' && resource.parentResource && resource.parentField === name);
  const isRequired = ([name, , options]: Field): boolean =>
    name === 'idx' || (options?.required === true && options.nullable !== true);
  const required = fields.filter(isRequired);
  const optional = fields.filter((field) => !isRequired(field));
  const strings = fields.filter(([, type]) => type === 'string');
  const dates = strings.filter(([, , options]) => options?.format === 'date');
  const texts = strings.filter((field) => !dates.includes(field));
  const numbers = fields.filter(([, type]) => type === 'integer' || type === 'number');

  test.each(fields.filter(isFree).map(([name]) => name))('%s is updated without touching the others', async (name) => {
    const before = stored[name]!;
    await change({ [name]: sample(resource, name, 1) });
    await change({ [name]: before });
  });

  test('a value of another type is refused in every field', async () => {
    await expectAllRefused(rounds(fields, ([, type]) => some(wrongValues[type])));
  });

  test('a misspelled name is refused, and the nearest known one named', async () => {
    const misspelled = fields.map(([name]) => [`${name}x`, stored[name]!] as const);
    // For more of them in one body, none is named.
    const tens = Array.from({ length: Math.ceil(fields.length / 10) }, (_, i) => misspelled.slice(i * 10, i * 10 + 10));
    for (const { errors = [] } of await expectAllRefused(tens.map((ten) => Object.fromEntries(ten)))) {
      for (const { pointer, message } of errors) {
        expect(message, pointer).toMatch(new RegExp(`\\b${pointer.slice(1, -1)}\\b`));
      }
    }
  });

  if (required.length > 0) {
    test('null is refused in every required field', async () => {
      await expectAllRefused(rounds(required, () => [null]));
    });
  }

  if (optional.length > 0) {
    test('null clears every optional field, with a default or without, and is stored on create', async () => {
      const cleared = Object.fromEntries(optional.map(([name]) => [name, null]));
      await change(cleared);
      await change(fullBody(resource, parentId));
      if (!hasCreate) return;
      const created = await create(server, path, { ...minimalBody(resource, parentId), ...cleared });
      expect(created).toMatchObject(cleared);
    });
  }

  if (texts.length > 0) {
    test('a text field takes any text', async () => {
      for (const body of rounds(texts.filter(isFree), () => some(rightTexts))) await change(body);
    });

    test('a text field takes 65,536 characters and no more', async () => {
      // As many as a body of 1 MiB holds, and the two fields of 10 MiB one at a time.
      for (const group of inGroups(texts, resource.name === 'signing_document_data' ? 1 : 15)) {
        const bodyOf = (extra: number, wanted: readonly Field[]): Body =>
          Object.fromEntries(wanted.map(([name]) => [name, 'a'.repeat(longest(resource.name, name) + extra)]));
        await change(bodyOf(0, group.filter(isFree)));
        await change(fullBody(resource, parentId));
        await expectAllRefused([bodyOf(1, group)]);
      }
    });
  }

  if (strings.length > 0) {
    test('U+0000 and lone surrogates are refused in every string', async () => {
      await expectAllRefused(rounds(strings, () => some(wrongTexts)));
    });
  }

  if (dates.length > 0) {
    test('a date field takes real calendar dates only', async () => {
      for (const body of rounds(dates, () => some(rightDates))) await change(body);
      await expectAllRefused(rounds(dates, () => some(wrongDates)));
    });
  }

  if (numbers.length > 0) {
    test('a whole number is taken however it is written', async () => {
      for (const [written, value] of Object.entries(integersAsWritten)) {
        const body = `{${numbers.map(([name]) => `"${name}": ${written}`).join(',')}}`;
        stored = storedIn(await server.request('PATCH', `${path}/${stored.id}`, body));
        // Compared as numbers, because 0 may come back for -0.
        for (const [name] of numbers) expect(stored[name] === value, `${name}: ${written}`).toBe(true);
      }
    });

    test('a number beyond every double is refused', async () => {
      for (const written of ['1e400', '-1e400']) {
        const body = `{${numbers.map(([name]) => `"${name}": ${written}`).join(',')}}`;
        const answer = await server.request('PATCH', `${path}/${stored.id}`, body);
        const { errors = [] } = expectRefused(answer, ...numbers.map(([name]) => `/${name}`));
        for (const { code, message } of errors) {
          expect({ code, message }).toEqual({ code: 'too_large', message: 'is too large for a number' });
        }
      }
    });
  }

  const wide = numbers.filter(([, type]) => type === 'number');
  if (wide.length > 0) {
    test('a number field gives every double back exactly', async () => {
      for (const body of rounds(wide, () => some(doubles))) await change(body);
    });
  }
});

test('a character outside of the first plane counts as one', async () => {
  const path = '/api/crm/competitor';
  const required = { competitor_name: 'Acme' };
  const { id } = await create(server, path, { ...required, website: '🙂'.repeat(65_536) });
  expect((await retrieve(server, path, id))['website']).toBe('🙂'.repeat(65_536));
  expectRefused(await server.request('POST', path, { ...required, website: '🙂'.repeat(65_537) }), '/website');
  expectRefused(await server.request('POST', path, { ...required, website: `x${'🙂'.repeat(65_535)}x` }), '/website');
});
