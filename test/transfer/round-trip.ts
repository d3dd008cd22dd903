import * as fc from 'fast-check';
import { expect } from 'vitest';

import { seed } from '../support/seed.ts';
import type { TestServer } from '../support/server.ts';
import type { Files } from './run.ts';
import { exportFile, importFile } from './steps.ts';

const pieces = [
  '"',
  ',',
  ';',
  '\n',
  '\r\n',
  '\r',
  '\t',
  ' ',
  '  x',
  "'",
  '=1+1',
  '🙂',
  'Zoë',
  '\u202E',
  '\uFEFF',
  'null',
  '\u2028',
  'a',
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((all) => all.join('')),
  fc.string({ unit: 'binary', maxLength: 12 }).filter((all) => all.isWellFormed() && !all.includes('\0')),
);
const orNull = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(values, { freq: 3 });
const lead = fc.record({
  lead_name: orNull(text),
  company_name: orNull(text),
  status: orNull(text),
  lead_owner: orNull(text),
  title: orNull(text),
  unsubscribed: orNull(fc.boolean()),
  disabled: orNull(fc.boolean()),
  // -0 is stored as 0 by SQLite.
  annual_revenue: orNull(fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0)),
  utm_campaign: orNull(text),
});

export type Row = Readonly<Record<string, unknown>>;

export const rowsOf = (ndjson: string): Row[] =>
  ndjson
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

/** Checks that random records with hostile values stay the same from NDJSON to the server, to CSV, and back again. */
export async function checkRoundTrip({ url }: TestServer, files: Files, count: number): Promise<void> {
  const sent = fc.sample(lead, { seed, numRuns: count }) as Row[];
  const first = files.write('leads.ndjson', sent.map((row) => `${JSON.stringify(row)}\n`).join(''));
  expect(await importFile(url, 'crm/lead', first)).toBe(count);
  const csv = files.path('leads.csv');
  const sheet = files.path('sheet.csv');
  await exportFile(url, 'crm/lead', csv);
  await exportFile(url, 'crm/lead', sheet, true);
  for (const file of [csv, sheet]) expect(await importFile(url, 'crm/lead', file)).toBe(count);
  const stored = rowsOf(await exportFile(url, 'crm/lead', files.path('all.ndjson')));
  expect(stored).toHaveLength(3 * count);
  for (const [at, row] of sent.entries()) {
    const { id: _, created_at: __, updated_at: ___, ...fields } = stored[at] as Row;
    expect(fields).toMatchObject(row);
    for (const again of [count + at, 2 * count + at]) expect(stored[again]).toMatchObject(fields);
  }
}
