import { beforeEach, expect, test } from 'vitest';

import { decimalOf, unitsOf } from '../../runtime/kernel/values/decimal.ts';
import { service } from '../service/generated/app.ts';
import { describeEngine, engines } from '../support/databases.ts';
import { Random } from '../support/random.ts';
import { pageIn, type Stored } from '../support/records.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import { startServer, type TestServer } from '../support/server.ts';

const charges = '/api/billing/charge';

/** The fields of decimals by name: their digits and their scale. */
const fields = { amount: [18, 2], share: [6, 6], points: [18, 0] } as const;
type Name = keyof typeof fields;
const names = Object.keys(fields) as Name[];

const operators = ['', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'null'] as const;

/** Numbers of every size, often the same one, or its neighbour. */
function randomUnits(random: Random, digits: number): bigint {
  const most = 10n ** BigInt(digits) - 1n;
  const size = 10 ** random.below(15);
  const units = random.of([0n, 1n, 10n, most, most - 1n, BigInt(random.below(size)), BigInt(random.below(size))]);
  return (units > most ? units % most : units) * (random.chance(0.4) ? -1n : 1n);
}

/** A decimal in one of its spellings. */
function randomDecimal(random: Random, name: Name): string {
  const [digits, scale] = fields[name];
  const text = decimalOf(randomUnits(random, digits), scale);
  const shortest = scale === 0 ? text : text.replace(/\.?0+$/, '');
  return random.chance(0.5) && shortest !== '-0' ? shortest : text;
}

async function store(server: TestServer, random: Random, count: number): Promise<Stored[]> {
  const operations = Array.from({ length: count }, () => {
    const nullable = (name: Name): string | null => (random.chance(0.2) ? null : randomDecimal(random, name));
    const amount = randomDecimal(random, 'amount');
    const body = { label: 'x', paid: '0', amount, share: nullable('share'), points: nullable('points') };
    return { method: 'POST', path: charges, body };
  });
  const { status, body } = await server.request('POST', '/api/batch', { operations });
  expect(status).toBe(200);
  const records = (body as { results: { body: Stored }[] }).results.map((one) => one.body);
  records.forEach((record, i) => {
    for (const name of names) {
      const sent = operations[i]?.body[name] ?? null;
      const [, scale] = fields[name];
      expect(record[name]).toBe(sent === null ? null : decimalOf(unitsOf(sent, scale), scale));
    }
  });
  return records;
}

const unitsIn = (record: Stored, name: Name): bigint | null => {
  const value = record[name] as string | null;
  return value === null ? null : unitsOf(value, fields[name][1]);
};

/** A random filter: its parameter, and whether a record meets it. */
function randomFilter(random: Random): { parameter: string; meets: (record: Stored) => boolean } {
  const name = random.of(names);
  const operator = random.of(operators);
  const parameterName = operator === '' ? name : `${name}[${operator}]`;
  const texts = Array.from({ length: operator === 'in' ? 4 : 1 }, () => randomDecimal(random, name));
  const given = texts.map((text) => unitsOf(text, fields[name][1]));
  const [value = 0n] = given;
  const isNull = random.chance(0.5);
  const rules: Record<(typeof operators)[number], (units: bigint) => boolean> = {
    '': (units) => units === value,
    ne: (units) => units !== value,
    in: (units) => given.includes(units),
    gt: (units) => units > value,
    gte: (units) => units >= value,
    lt: (units) => units < value,
    lte: (units) => units <= value,
    null: () => !isNull,
  };
  return {
    parameter: `${parameterName}=${operator === 'null' ? String(isNull) : texts.join(',')}`,
    meets(record) {
      const units = unitsIn(record, name);
      return units === null ? operator === 'null' && isNull : rules[operator](units);
    },
  };
}

/** Compares two records in the order of a sort key; nulls are last. */
function compare(a: Stored, b: Stored, key: string): number {
  const name = key.replace('-', '') as Name;
  const [one, two] = [unitsIn(a, name), unitsIn(b, name)];
  if (one === two) return 0;
  if (one === null || two === null) return one === null ? 1 : -1;
  return one < two === key.startsWith('-') ? 1 : -1;
}

beforeEach(repeatable);

for (const engine of engines) {
  describeEngine(engine, 'random decimals', () => {
    test('are filtered, sorted and paged as a model of big integers does', async () => {
      await using database = await engine.create(service.tables);
      await using server = await startServer({ env: { DATABASE_URL: database.url } });
      const random = new Random(seed);
      const records = [...(await store(server, random, 100)), ...(await store(server, random, 60))];
      const newestFirst = records.toReversed();
      for (let n = 0; n < rounds(150, 1_000); n++) {
        const filters = Array.from({ length: random.below(3) }, () => randomFilter(random));
        const sort = random
          .shuffled(names)
          .slice(0, random.below(3))
          .map((name) => (random.chance(0.5) ? '-' : '') + name);
        const expected = newestFirst
          .filter((record) => filters.every(({ meets }) => meets(record)))
          .toSorted((a, b) => sort.map((key) => compare(a, b, key)).find((order) => order !== 0) ?? 0);
        const at = random.chance(0.5) ? random.below(Math.max(1, expected.length)) : -1;
        const cursor = expected[at];
        const limit = random.of([1, 7, 200]);
        const query = [
          // A parameter is given once.
          ...new Map(filters.map(({ parameter }) => [parameter.split('=')[0], parameter])).values(),
          ...(sort.length > 0 ? [`sort=${sort.join(',')}`] : []),
          ...(cursor ? [`after=${cursor.id}`] : []),
          `limit=${limit}`,
        ].join('&');
        if (new Set(filters.map(({ parameter }) => parameter.split('=')[0])).size < filters.length) continue;
        const page = pageIn(await server.request('GET', `${charges}?${query}`));
        expect(page, query).toEqual({
          data: expected.slice(at + 1, at + 1 + limit),
          has_more: at + 1 + limit < expected.length,
          total: expected.length,
        });
      }
    });
  });
}
