import { unavailable } from '../model/errors.ts';
import type { FieldValue } from '../model/fields.ts';
import { maxBatchResults } from '../model/limits.ts';
import { printNumber } from '../model/numbers.ts';
import { type Column, presentValue, type Table } from '../model/table.ts';
import type { Records } from './store.ts';
import type { Event } from './undo.ts';
import type { Effect, KeptEffect, StoredAnswer, WriteResult } from './write.ts';

type Kept = NonNullable<StoredAnswer['answer']>['result'];

/** Events that are read at once. */
const eventsPerPage = 100;

/**
 * The effects of a write that was done before, as its response showed them.
 *
 * @returns a refusal if their JSON has more bytes together than `maxBytes`
 * @throws ApiError `unavailable` (503) if an event that tells what a record was is gone
 */
export async function replayed(records: Records, kept: Kept, maxBytes = maxBatchResults): Promise<WriteResult> {
  const results: Effect[] = [];
  let bytes = 0;
  for (const effect of kept.outcome === 'done' ? kept.results : [kept]) {
    const shown = isWhole(effect) ? effect : { ...effect, json: await recordAt(records, effect) };
    if (shown.outcome === 'written') bytes += Buffer.byteLength(shown.json);
    if (bytes > maxBytes) return resultsTooLarge;
    results.push(shown);
  }
  return { outcome: 'done', results };
}

/** The result of a write whose answer is longer than there is room for. */
export const resultsTooLarge = { outcome: 'refused', at: 0, reason: { outcome: 'results_too_large' } } as const;

const isWhole = (effect: KeptEffect): effect is Effect => effect.outcome !== 'written' || 'json' in effect;

/** The JSON of a record as it was at a version: what later events have changed is undone in it. */
async function recordAt(records: Records, { table: name, id, version }: Exclude<KeptEffect, Effect>): Promise<string> {
  const stored = await records.get(name, id, true);
  if (stored?.version === version) return String(stored.json);
  const record = (stored ? JSON.parse(String(stored.json)) : {}) as Record<string, FieldValue>;
  const table = records.tables.find((one) => one.name === name) as Table;
  for (let after: number | undefined; ;) {
    const page = await records.events({
      record: id,
      isDescending: true,
      limit: eventsPerPage,
      ...(after && { after }),
    });
    for (const event of page.events.map((json) => JSON.parse(json) as Event)) {
      if (event.version <= version) return jsonOf(table, record);
      // Later than the read of the record.
      if (stored && event.version > stored.version) continue;
      for (const [field, [before]] of Object.entries(event.changes)) record[field] = before;
    }
    if (!page.hasMore) throw unavailable(`The response to the first request is gone: events of ${id} were removed.`);
    after = page.last;
  }
}

/** The JSON of a record, as the engines print it. */
const jsonOf = ({ columns }: Table, record: Readonly<Record<string, FieldValue>>): string =>
  `{${columns.map((column) => `"${column.name}":${printValue(column, record[column.name] ?? null)}`).join()}}`;

const printValue = (column: Column, value: FieldValue): string =>
  column.type === 'double precision' && typeof value === 'number'
    ? printNumber(value)
    : JSON.stringify(presentValue(column, value));
