import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type * as Api from '../../generator/changes/api.ts';
import type * as Check from '../../generator/check/service.ts';
import type * as Generate from '../../generator/generate.ts';
import type { ApiChange } from '../../generator/changes/change.ts';
import { compile } from '../support/compiler.ts';
import { projectRoot } from '../support/server.ts';
import { pinRows, Copy, type Row } from './copy.ts';

interface Extension {
  /** The row that names the addition. */
  readonly name: Row;
  /** The rows that the compiler then asks for one after the other, with what it says of each. */
  readonly asked: readonly (Row & { readonly message: RegExp })[];
}

const [pinRow, behaviourRow, textsRow] = pinRows;

const extensions: Readonly<Record<'a format' | 'a type' | 'an operation', Extension>> = {
  'a format': {
    name: {
      file: 'runtime/kernel/model/formats.ts',
      after: 'export const formats = {',
      line: "iban: { code: 'invalid_iban', words: 'an IBAN', order: 'none', accepts: (value) => /^[A-Z]{2}\\d{2}\\w+$/.test(value) },",
    },
    asked: [
      {
        message: /generator\/model\/field-types\.ts(?=.*missing).*\biban\b/,
        file: 'generator/model/field-types.ts',
        after: "  date: ofFormat('date', 'date', '2026-01-31'),",
        line: "iban: ofFormat('iban', 'IBAN', 'DE02120300000000202051'),",
      },
      {
        message: /generator\/model\/calls\.ts(?=.*missing).*\biban\b/,
        file: 'runtime/kernel/model/fields.ts',
        after: "export const time = formatted('time');",
        line: "export const iban = formatted('iban');",
      },
    ],
  },
  'a type': {
    name: {
      file: 'generator/model/language.ts',
      after: 'export const fieldTypes = {',
      line: "percent: z.strictObject({ type: z.literal('percent').meta({ description: '0 to 100.' }), ...common, ...valuesOf(z.number()), doc }),",
    },
    asked: [
      {
        message: /generator\/model\/field-types\.ts(?=.*missing).*\bpercent\b/,
        file: 'generator/model/field-types.ts',
        after: "  date: ofFormat('date', 'date', '2026-01-31'),",
        line: "percent: { ...plain, noun: 'percentage', helper: 'percent', schema: () => ({ type: 'number', minimum: 0, maximum: 100 }), example: () => 50 },",
      },
      {
        message: /generator\/model\/field-types\.ts.*'"percent"' is not assignable/,
        file: 'runtime/kernel/model/fields.ts',
        after: "export const time = formatted('time');",
        line: 'export const percent = () => number({ min: 0, max: 100 });',
      },
      {
        message: /generator\/rules\/types\.ts.*"percent"/,
        file: 'generator/rules/types.ts',
        after: '  switch (field.type) {',
        line: "case 'percent':",
      },
    ],
  },
  'an operation': {
    name: pinRow,
    asked: [
      { message: /generator\/model\/operations\.ts(?=.*missing).*\barchive\b/, ...textsRow },
      { message: /runtime\/kernel\/records\/prepare\.ts(?=.*missing).*\breorder\b/, ...behaviourRow },
    ],
  },
};

const tests = readdirSync(join(projectRoot, 'test')).filter((name) => name !== 'golden' && !name.startsWith('.'));
/** The files in which the compiler asks for rows. */
const asking = ['generator/model/field-types.ts', 'generator/model/operations.ts', 'generator/rules/types.ts'];
const parts = ['generator', 'generated', 'runtime', 'vitest.config.ts', 'package.json', 'tsconfig.json'];
const copy = new Copy(...parts, ...tests.map((name) => `test/${name}`));
const { root } = copy;

afterAll(() => copy[Symbol.dispose]());

/** The compiler's messages about parts of the copy, one a line. */
async function messages(...include: string[]): Promise<string> {
  const settings = join(root, 'tsconfig.part.json');
  writeFileSync(settings, JSON.stringify({ extends: './tsconfig.json', include }));
  return (await compile(settings)).replaceAll(/\n +/g, ' ');
}

// All extensions at once: most of the time of this test is spent in the compiler.
test('the compiler names every row that a format, a type and an operation take, and asks for no other', async () => {
  const all = Object.values(extensions);
  for (const { name, asked } of all) {
    expect(asked.length).toBeGreaterThan(1);
    copy.add(name);
  }
  for (const step of [0, 1, 2]) {
    const missing = await messages(...asking);
    for (const { asked } of all) {
      const row = asked[step];
      if (!row) continue;
      expect(missing).toMatch(row.message);
      copy.add(row);
    }
  }
  expect(await messages('generator', 'test/generator', 'test/changes', 'test/editor', 'test/schema')).toBe('');
});

describe('what has got its rows', () => {
  const service = 'name: shop\ntitle: Shop\ndoc: Sells things.\nversion: 1.0.0\nlicense: MIT\n';
  const specs = (lead: string): Map<string, string> =>
    new Map([
      ['spec/service.yaml', service],
      ['spec/crm/lead.yaml', `kind: record\ndoc: A lead.\n${lead}`],
    ]);
  let generate: typeof Generate.generate;
  let changes: (before: string, after: string) => [string, string][];

  beforeAll(async () => {
    ({ generate } = (await import(join(root, 'generator/generate.ts'))) as typeof Generate);
    const { readService } = (await import(join(root, 'generator/check/service.ts'))) as typeof Check;
    const { changesBetween } = (await import(join(root, 'generator/changes/api.ts'))) as typeof Api;
    changes = (before, after) => {
      const [was, is] = [before, after].map((lead) => readService(specs(lead)).service!);
      return changesBetween(was, is!).map(({ id, affects }: ApiChange) => [id, affects.join(', ')]);
    };
  });

  test('is generated', async () => {
    const { files, diagnostics } = await generate(
      specs(
        'fields: { account: { format: iban }, share: percent, pinned_at: { format: date-time } }\noperations: [list, pin]',
      ),
    );
    expect(diagnostics).toEqual([]);
    const schema = files.get('crm/lead.schema.ts');
    expect(schema).toContain('  account: optional(field.iban()),');
    expect(schema).toContain('  share: optional(field.percent()),');
    expect(files.get('crm/lead.routes.ts')).toContain("  .post('/:id/pin', change(leadTable, 'pin'))");
    const document = files.get('openapi.json');
    expect(document).toContain('"account": { "type": ["string", "null"], "format": "iban", ');
    expect(document).toContain('"share": { "type": ["number", "null"], "minimum": 0, "maximum": 100, ');
    expect(document).toContain('"/api/crm/lead/{id}/pin"');
    expect(files.get('schema.sql')).toContain('"share" double precision');
  });

  test('is checked', async () => {
    const lead = 'fields: { account: { format: iban, default: x }, share: { type: percent, default: 101 } }';
    expect((await generate(specs(lead))).diagnostics.map(({ message }) => message)).toEqual([
      'account: the default "x" must be an IBAN',
      'share: the default 101 must be at most 100',
    ]);
  });

  test('is a breaking change where it breaks', () => {
    expect(changes('fields: { account }', 'fields: { account: { format: iban } }')).toEqual([
      ['crm/lead/account/format/added', 'readers, creators, updaters'],
    ]);
    expect(changes('fields: { account: { format: iban } }', 'fields: { account: { format: uuid } }')).toEqual([
      ['crm/lead/account/format/changed', 'readers, creators, updaters'],
    ]);
    expect(changes('fields: { share: number }', 'fields: { share: percent }')).toEqual([
      ['crm/lead/share/type/changed', 'readers, creators, updaters'],
    ]);
    const operations = (names: string): string =>
      `fields: { pinned_at: { format: date-time } }\noperations: [${names}]`;
    expect(changes(operations('list, pin'), operations('list'))).toEqual([
      ['crm/lead/operations/pin/removed', 'callers'],
    ]);
    expect(changes(operations('pin').replace('} }', '}, b }'), operations('pin'))).toEqual([
      ['crm/lead/b/removed', 'readers'],
    ]);
  });
});
