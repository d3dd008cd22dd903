import { describe, expect, test } from 'vitest';

import { readService } from '../../generator/check/service.ts';
import { formatWithExcerpts } from '../../generator/read/diagnostic.ts';
import { chooseSpecs } from '../../generator/read/spec-files.ts';

/** How many of anything a spec has; of a second one, so many times as many, in which quadratic work takes 16 times as long. */
const count = 12_000;
const growth = 4;

/** How many times as long the larger one may take, beside half a second that a collection of garbage may fall into. */
const allowed = 2.5 * growth;
const pause = 500;

/** The processor time that this takes of this thread, in milliseconds: other tests run beside it. */
function processorTimeOf(work: () => void): number {
  const begin = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(begin);
  return (user + system) / 1_000;
}

const repeat = (of: (i: number) => string, times: number): string =>
  Array.from({ length: times }, (_, i) => of(i)).join('');

const service = 'name: shop\ntitle: Shop\ndoc: Sells things.\nversion: 1.0.0\nlicense: MIT\n';
const head = 'kind: record\ndoc: A thing.\n';
const inFields = (text: string): string => `${head}fields:\n${text}`;

/** Large specs, each with a message that must be among its problems; empty if the spec is right. */
const specs = (
  size: number,
): readonly (readonly [name: string, expected: string, lead: string, service?: string])[] => [
  ['fields', 'at most 300 fields', inFields(repeat((i) => `  f${i}:\n`, size))],
  ['fields in braces', 'at most 300 fields', `${head}fields: { ${repeat((i) => `f${i}: , `, size)} }\n`],
  ['wrong names of fields', 'must be snake_case', inFields(repeat((i) => `  F${i}: strin\n`, size))],
  ['fields twice', 'duplicate key "f0"', inFields(repeat((i) => `  f${Math.floor(i / 2)}:\n`, size))],
  ['unknown keys', 'unknown key "requird0"', `${head}fields:\n  a:\n${repeat((i) => `requird${i}: 1\n`, size)}`],
  [
    'unknown keys on a line',
    'unknown key "requird0"',
    inFields(`  a: {${repeat((i) => ` requird${i}: 1,`, size)} }\n`),
  ],
  ['enum values', 'at most 1000 values', inFields(`  a: { default: x, enum: [${repeat((i) => `v${i}, `, size)}] }\n`)],
  [
    'states that no field has',
    'cannot be "v0"',
    `${inFields('  status: { enum: [a, b] }\n')}transitions: { x: { to: b, from: [${repeat((i) => `v${i}, `, size)}] } }\n`,
  ],
  [
    'states that are never reached',
    'is neither the default',
    `${inFields('  status:\n')}transitions: { x: { to: b, from: [${repeat((i) => `v${i}, `, size)}] } }\n`,
  ],
  [
    'transitions',
    'at most 100 transitions',
    `${inFields('  status:\n')}transitions:\n${repeat((i) => `  t${i}: { field: feld_${i}, from: a, to: b }\n`, size)}`,
  ],
  ['operations', 'operations must be', `${head}operations: [${repeat((i) => `lst${i}, `, size)}]\nfields:\n  a:\n`],
  ['former names', 'must be snake_case', inFields(`  a: { renamed_from: [${repeat((i) => `N${i}, `, size)}] }\n`)],
  [
    'constants',
    'has no constant "konst_0"',
    inFields(repeat((i) => `  f${i}: { default: { constant: konst_${i} } }\n`, 300)),
    `${service}constants:\n${repeat((i) => `  const_${i}: 1\n`, size)}`,
  ],
  ['aliases', 'has no aliases', inFields(`  a: &a { enum: [${repeat(() => '*a, ', size)}] }\n`)],
  ['anchors', '', inFields(`  a: { enum: [${repeat((i) => `&a${i} x${i}, `, 1_000)}] }\n`)],
  ['characters of a text', '', `kind: record\ndoc: ${'a'.repeat(size)}\nfields:\n  a:\n`],
  ['characters of a pattern', 'not a valid regular expression', inFields(`  a: { pattern: '${'a'.repeat(size)}(' }\n`)],
  ['characters of a default', 'the default "aaa', inFields(`  a: { enum: [x], default: ${'a'.repeat(size)} }\n`)],
  ['characters of a name', 'the name "aaa', inFields(`  ? ${'a'.repeat(size)}\n  : strin\n`)],
  ['characters of a kind', 'kind must be', `kind: ${'r'.repeat(size)}\n`],
  ['brackets', 'nested', inFields(`  a: ${'['.repeat(size)}\n`)],
  ['brackets that are closed', 'nested', inFields(`  a: ${'['.repeat(size)}${']'.repeat(size)}\n`)],
  ['braces', 'nested', inFields(`  a: ${'{a: '.repeat(size)}\n`)],
  ['dashes', 'nested', inFields(`  a:\n    ${'- '.repeat(size)}a\n`)],
  ['documents', 'one document', head + '---\na: 1\n'.repeat(size)],
  ['tabs', 'indent with spaces', inFields(repeat((i) => `\tf${i}:\n`, size))],
  ['quotes', 'close the quote', inFields(repeat((i) => `  f${i}: "\n`, size))],
  ['colons', 'in quotes', inFields(repeat((i) => `  f${i}: a: b\n`, size))],
  ['bytes that are not UTF-8', 'is not UTF-8', head + '\ufffd'.repeat(size)],
  ['control characters', 'control character', head + '\u0001'.repeat(size)],
  ['comments that cut a text', 'for a comment', inFields(repeat((i) => `  f${i}: #cut\n`, size))],
  ['blank lines', 'unknown type', `${head}${'\n'.repeat(size)}fields:\n  a: strin\n`],
];

const larger = specs(growth * count);
const cases = specs(count).map(([name, expected, lead, shared = service], i) => ({
  name,
  expected,
  small: { lead, shared },
  large: { lead: larger[i]![2], shared: larger[i]![3] ?? service },
}));

function judge({ lead, shared }: { readonly lead: string; readonly shared: string }): readonly string[] {
  const files = new Map<string, string>([
    ['spec/crm/lead.yaml', lead],
    ['spec/service.yaml', shared],
  ]);
  const { diagnostics } = readService(files);
  return formatWithExcerpts(diagnostics, files);
}

/** Does work of a size and of a larger one, which must not take longer than its size explains. */
function expectLinear(work: (times: number) => void): void {
  const small = processorTimeOf(() => work(1));
  expect(processorTimeOf(() => work(growth))).toBeLessThan(allowed * small + pause);
}

describe(`${growth} times as much of anything takes no more than its size explains`, () => {
  test.each(cases)('$name', ({ expected, small, large }) => {
    let shown: readonly string[] = [];
    expectLinear((times) => {
      shown = judge(times === 1 ? small : large);
    });
    if (expected === '') expect(shown).toEqual([]);
    else expect(shown.join('\n')).toContain(expected);
    // Long values and long lines are shortened.
    for (const text of shown) expect(text.length).toBeLessThan(1_200);
  });

  test('spec files', () => {
    expectLinear((times) => {
      const entries = Array.from({ length: times * count }, (_, i) => ({
        path: `spec/crm/lead${i}.yaml`,
        type: 'file' as const,
      }));
      expect(chooseSpecs(entries).faults).toEqual([
        `spec: there are ${times * count} spec files; a service can have at most 1000 resources.`,
      ]);
    });
  });
});
