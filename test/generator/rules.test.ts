import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { readService } from '../../generator/check/service.ts';
import { emitRules } from '../../generator/emit/rules.ts';
import { generate } from '../../generator/generate.ts';
import { isError } from '../../generator/read/diagnostic.ts';
import type { JsonRecord, Logic } from '../../runtime/features/rules/expressions/logic.ts';
import * as helpers from '../../runtime/features/rules/expressions/index.ts';
import { projectRoot } from '../support/server.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import { expression, sample } from './arbitrary-rules.ts';
import { rows, sampleFields } from './rule-rows.ts';

beforeEach(repeatable);

const service = readFileSync(join(projectRoot, 'test/golden/service.yaml'), 'utf8');

/** The spec of a resource with rules, each in quotes. */
const specOf = (expressions: readonly string[]): string =>
  [
    `kind: record\ndoc: A record.\nfields:${sampleFields}\nrules:`,
    ...expressions.map((that, index) => `  - { that: '${that.replaceAll("'", "''")}', message: m${index} }`),
  ].join('\n');

const specsOf = (expressions: readonly string[]): Map<string, string> =>
  new Map([
    ['spec/service.yaml', service],
    ['spec/a/sample.yaml', specOf(expressions)],
  ]);

/** The logic that a generated file exports. */
function logicIn(file: string): Logic {
  const body = stripTypeScriptTypes(file)
    .replaceAll(/^import \{[^}]*\} from .*$/gm, '')
    .replace('import.meta.url', "''")
    .replace('export const sampleLogic =', 'return');
  // oxlint-disable-next-line typescript/no-implied-eval -- generated code is run as it is
  return new Function(...Object.keys(helpers), body)(...Object.values(helpers)) as Logic;
}

const now = '2026-03-01T12:34:56.789Z';

test('each rule holds for the records that it says', async () => {
  for (const part of [rows.slice(0, 60), rows.slice(60)]) {
    const { files, diagnostics } = await generate(specsOf(part.map(([that]) => that)));
    expect(diagnostics).toEqual([]);
    const { rules } = logicIn(files.get('a/sample.rules.ts') ?? '');
    const seen = part.map(() => new Set<boolean>());
    fc.assert(
      fc.property(sample, (record) => {
        const broken = new Set(
          helpers.violationsOf(rules, record as unknown as JsonRecord, now).map(({ message }) => message),
        );
        part.forEach(([that, holds], index) => {
          seen[index]?.add(holds(record, now));
          expect(!broken.has(`m${index}`), `${that} of ${JSON.stringify(record)}`).toBe(holds(record, now));
        });
      }),
      { seed, numRuns: rounds(400, 20_000) },
    );
    // Each row was true of some records and false of others.
    expect(part.filter((_, index) => seen[index]?.size !== 2).map(([that]) => that)).toEqual([]);
  }
});

test('days between times are those of the calendar, also where the clocks change', async () => {
  for (const timeZone of ['Europe/Berlin', 'America/St_Johns', 'Pacific/Kiritimati', 'Australia/Lord_Howe', 'UTC']) {
    const specs = specsOf(['end == null || days(at, end) == a', 'days(day, at) == b']);
    specs.set('spec/service.yaml', `${service}time_zone: ${timeZone}\n`);
    const { files } = await generate(specs);
    const { rules } = logicIn(files.get('a/sample.rules.ts') ?? '');
    const dayOf = (time: string) => Temporal.Instant.from(time).toZonedDateTimeISO(timeZone).toPlainDate();
    const check = (day: string, at: string, end: string): void => {
      const a = dayOf(at).until(dayOf(end)).days;
      const b = Temporal.PlainDate.from(day).until(dayOf(at)).days;
      for (const [more, broken] of [
        [0, []],
        [1, ['m0', 'm1']],
      ] as const) {
        const record = { day, at, end, a: a + more, b: b + more };
        const violations = helpers.violationsOf(rules, record, now).map(({ message }) => message);
        expect(violations, `${timeZone} ${day} ${at} ${end}`).toEqual(broken);
      }
    };
    // A day of 23 hours, one of 25, and clocks that were set back over midnight.
    check('2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z');
    check('2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z');
    check('2010-11-07', '2010-11-07T02:30:59.999Z', '2010-11-07T02:31:00.000Z');
    const time = fc
      .integer({ min: Date.UTC(1850, 0, 1), max: Date.UTC(2100, 0, 1) })
      .map((milliseconds) => new Date(milliseconds).toISOString());
    const run = (at: string, end: string, other: string): void => check(other.slice(0, 10), at, end);
    fc.assert(fc.property(time, time, time, run), { seed, numRuns: rounds(100, 5_000) });
  }
});

test('a day of a time is another expression in another time zone, so that records are computed again', async () => {
  const expressionIn = async (timeZone: string): Promise<string | undefined> => {
    const fields = 'at: { format: date-time, required: true }, opens_on: { format: date, computed: date(at) }';
    const { files } = await generate(
      new Map([
        ['spec/service.yaml', `${service}time_zone: ${timeZone}\n`],
        ['spec/a/sample.yaml', `kind: record\ndoc: A record.\nfields: { ${fields} }\n`],
      ]),
    );
    return logicIn(files.get('a/sample.rules.ts') ?? '').computed['opens_on']?.expression;
  };
  expect(await expressionIn('UTC')).toBe('date(at)');
  expect(await expressionIn('Europe/Berlin')).toBe('date(at) in Europe/Berlin');
});

test('random expressions are refused at their place, or never throw and never hang', { timeout: 600_000 }, () => {
  const counts = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(expression, fc.array(sample, { minLength: 3, maxLength: 3 }), (that, records) => {
      const { service: read, diagnostics } = readService(specsOf([that]));
      const file = read?.resources.map(emitRules)[0];
      if (!file) {
        counts.refused++;
        expect(diagnostics.filter(isError).length, that).toBeGreaterThan(0);
        for (const { line } of diagnostics) expect(line, that).toBeGreaterThan(25);
        return;
      }
      counts.accepted++;
      const [rule] = logicIn(file.groups.flat().join('\n')).rules;
      for (const record of records) {
        try {
          expect(typeof rule?.isBroken(record as unknown as JsonRecord, now), that).toBe('boolean');
        } catch (error) {
          // Arithmetic that fails: the rule is broken.
          expect(error, that).toBeInstanceOf(RangeError);
        }
      }
    }),
    { seed, numRuns: rounds(500, 20_000) },
  );
  expect(counts.accepted).toBeGreaterThan(rounds(50, 2_000));
  expect(counts.refused).toBeGreaterThan(rounds(50, 2_000));
});
