import { describe, expect, test } from 'vitest';

import { readService } from '../../generator/check/service.ts';
import { formatWithExcerpt } from '../../generator/diagnostic.ts';
import { chooseSpecs } from '../../generator/spec-files.ts';

// Quadratic work shows with 10,000 as well.
const count = 60_000;

/** The most processor time that a spec may take, in milliseconds: three times what a quiet machine needs. */
const limit = 200 + count / 20;

/** The processor time of this thread, in milliseconds: other tests run beside it. */
const processorTime = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

const repeat = (of: (i: number) => string, times = count): string =>
  Array.from({ length: times }, (_, i) => of(i)).join('');

const service = 'name: shop\ntitle: Shop\ndoc: Sells things.\nversion: 1.0.0\nlicense: MIT\n';
const head = 'kind: record\ndoc: A thing.\n';
const inFields = (text: string): string => `${head}fields:\n${text}`;

/** What is refused of it, by the first message that must be among those that come out; empty where all is right. */
const specs: readonly (readonly [name: string, expected: string, lead: string, service?: string])[] = [
  ['fields', 'at most 300 fields', inFields(repeat((i) => `  f${i}:\n`))],
  ['fields in braces', 'at most 300 fields', `${head}fields: { ${repeat((i) => `f${i}: , `)} }\n`],
  ['wrong names of fields', 'must be snake_case', inFields(repeat((i) => `  F${i}: strin\n`))],
  ['fields twice', 'duplicate key "f0"', inFields(repeat((i) => `  f${Math.floor(i / 2)}:\n`))],
  ['unknown keys', 'unknown key "requird0"', `${head}fields:\n  a:\n${repeat((i) => `requird${i}: 1\n`)}`],
  ['unknown keys on a line', 'unknown key "requird0"', inFields(`  a: {${repeat((i) => ` requird${i}: 1,`)} }\n`)],
  ['enum values', 'at most 1000 values', inFields(`  a: { default: x, enum: [${repeat((i) => `v${i}, `)}] }\n`)],
  ['a default not in an enum', 'others', inFields(`  a: { default: x, enum: [${repeat((i) => `v${i}, `, 1_000)}] }\n`)],
  [
    'enum values twice',
    'lists "v0" twice',
    inFields(`  a: { enum: [${repeat((i) => `v${Math.floor(i / 2)}, `, 1_000)}] }\n`),
  ],
  ['enum values of a wrong type', 'must be a string', inFields(`  a: { enum: [${repeat((i) => `${i}, `, 1_000)}] }\n`)],
  [
    'states that no field has',
    'cannot be "v0"',
    `${inFields('  status: { enum: [a, b] }\n')}transitions: { x: { to: b, from: [${repeat((i) => `v${i}, `)}] } }\n`,
  ],
  [
    'states that are never reached',
    'is neither the default',
    `${inFields('  status:\n')}transitions: { x: { to: b, from: [${repeat((i) => `v${i}, `)}] } }\n`,
  ],
  [
    'transitions',
    'at most 100 transitions',
    `${inFields('  status:\n')}transitions:\n${repeat((i) => `  t${i}: { field: feld_${i}, from: a, to: b }\n`)}`,
  ],
  ['operations', 'operations must be', `${head}operations: [${repeat((i) => `lst${i}, `)}]\nfields:\n  a:\n`],
  ['former names', 'must be snake_case', inFields(`  a: { renamed_from: [${repeat((i) => `N${i}, `)}] }\n`)],
  [
    'constants',
    'has no constant "konst_0"',
    inFields(repeat((i) => `  f${i}: { default: { constant: konst_${i} } }\n`, 300)),
    `${service}constants:\n${repeat((i) => `  const_${i}: 1\n`)}`,
  ],
  [
    'aliases of a list',
    'lists "x" twice',
    `${inFields('  status:\n')}transitions: { y: { to: b, from: [&a x, ${repeat(() => '*a, ')}] } }\n`,
  ],
  [
    'aliases of aliases',
    'repeat more than',
    inFields(`  a0: &a0 [a]\n${repeat((i) => `  a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`)}`),
  ],
  ['anchors', '', inFields(`  a: { enum: [${repeat((i) => `&a${i} x${i}, `, 1_000)}] }\n`)],
  ['characters of a text', '', `kind: record\ndoc: ${'a'.repeat(count)}\nfields:\n  a:\n`],
  [
    'characters of a pattern',
    'not a valid regular expression',
    inFields(`  a: { pattern: '${'a'.repeat(count)}(' }\n`),
  ],
  ['characters of a default', 'the default "aaa', inFields(`  a: { enum: [x], default: ${'a'.repeat(count)} }\n`)],
  ['characters of a name', 'the name "aaa', inFields(`  ? ${'a'.repeat(count)}\n  : strin\n`)],
  ['characters of a kind', 'kind must be', `kind: ${'r'.repeat(count)}\n`],
  ['brackets', 'nested', inFields(`  a: ${'['.repeat(count)}\n`)],
  ['brackets that are closed', 'nested', inFields(`  a: ${'['.repeat(count)}${']'.repeat(count)}\n`)],
  ['braces', 'nested', inFields(`  a: ${'{a: '.repeat(count)}\n`)],
  ['dashes', 'nested', inFields(`  a:\n    ${'- '.repeat(count)}a\n`)],
  ['documents', 'one document', head + '---\na: 1\n'.repeat(count)],
  ['tabs', 'indent with spaces', inFields(repeat((i) => `\tf${i}:\n`))],
  ['quotes', 'close the quote', inFields(repeat((i) => `  f${i}: "\n`))],
  ['colons', 'in quotes', inFields(repeat((i) => `  f${i}: a: b\n`))],
  ['bytes that are not UTF-8', 'is not UTF-8', head + '\udce9'.repeat(count)],
  ['control characters', 'control character', head + '\u0001'.repeat(count)],
  ['comments that cut a text', 'for a comment', inFields(repeat((i) => `  f${i}: #cut\n`))],
  ['blank lines', 'unknown type', `${head}${'\n'.repeat(count)}fields:\n  a: strin\n`],
];

const cases = specs.map(([name, expected, lead, shared = service]) => ({ name, expected, lead, shared }));

describe(`${count} of anything are judged in about a second`, () => {
  test.each(cases)('$name', ({ expected, lead, shared }) => {
    const files = new Map<string, string>([
      ['spec/crm/lead.yaml', lead],
      ['spec/service.yaml', shared],
    ]);
    const begin = processorTime();
    const { diagnostics } = readService(files);
    const shown = diagnostics.map((diagnostic) => formatWithExcerpt(diagnostic, files.get(diagnostic.file)));
    const taken = processorTime() - begin;
    if (expected === '') expect(shown).toEqual([]);
    else expect(shown.join('\n')).toContain(expected);
    // Of long values and long lines, a part is shown.
    for (const text of shown) expect(text.length).toBeLessThan(1_200);
    expect(taken).toBeLessThan(limit);
  });

  test('spec files', () => {
    const begin = processorTime();
    const entries = Array.from({ length: count }, (_, i) => ({
      path: `spec/crm/lead${i}.yaml`,
      type: 'file' as const,
    }));
    expect(chooseSpecs(entries).faults).toEqual([
      `spec: there are ${count} spec files; a service can have at most 1000 resources.`,
    ]);
    expect(processorTime() - begin).toBeLessThan(limit);
  });
});
