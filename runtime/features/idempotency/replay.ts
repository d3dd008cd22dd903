import { ApiError, unavailable } from '../../kernel/model/errors.ts';
import type { RecordValue } from '../../kernel/model/fields.ts';
import { maxBatchResults, maxListLimit } from '../../kernel/model/limits.ts';
import { printNumber } from '../../kernel/model/numbers.ts';
import { type Column, parseRecord, presentValue, type Table } from '../../kernel/model/table.ts';
import type { Records } from '../../kernel/records/store.ts';
import { type Event, eventPages, type EventQuery, parseEvent } from '../trail/events.ts';
import { printJson } from '../../kernel/values/json-text.ts';
import { type KeptEffect, keyReused, readAnswer, type StoredAnswer } from './answers.ts';
import type { Effect, Once, WriteResult } from '../../kernel/records/write.ts';
import type { Answer } from '../../kernel/records/write-pipeline.ts';

type Kept = NonNullable<StoredAnswer['answer']>['result'];

/** The change of a record, of which the version is known. */
type Change = Exclude<KeptEffect, Effect>;

/** The answer to the same request. @throws ApiError `idempotency_key_reused` (422) if it was another one */
export async function repeatedAnswer(
  records: Records,
  once: Once,
  time: string,
  maxResults = maxBatchResults,
): Promise<Answer | undefined> {
  // That of a batch may be far longer than the results for which there is room.
  const stored = await readAnswer(records, once, time, maxResults < maxBatchResults ? maxResults : undefined);
  if (!stored) return undefined;
  if (stored.digest === once.digest) {
    const { result = resultsTooLarge, ids = [] } = stored.answer ?? {};
    const shown = result.outcome === 'refused' ? result : await replayed(records, result, maxResults);
    return { result: shown, ids, isReplayed: true };
  }
  throw new ApiError(keyReused, `Another request was sent with the Idempotency-Key ${once.key}.`);
}

/**
 * The effects of a write that was done before, as its response showed them.
 *
 * @returns a refusal if their JSON has more bytes together than `maxBytes`
 * @throws ApiError `unavailable` (503) if an event that tells what a record was is not there
 */
async function replayed(records: Records, kept: Kept, maxBytes: number): Promise<WriteResult> {
  const all = kept.outcome === 'done' ? kept.results : [kept];
  const shown = [...all] as Effect[];
  let bytes = all.reduce((sum, effect) => sum + (isWhole(effect) ? bytesOf(effect) : 0), 0);
  // The events of a record are read once, from the newest one on.
  const changes = [...all.entries()]
    .flatMap(([at, effect]) => (isWhole(effect) ? [] : [{ ...effect, at }]))
    .toReversed();
  for (const [id, some] of Map.groupBy(changes, (change) => change.id)) {
    const left = some.values();
    for await (const json of pastOf(records, id, some)) {
      const { at, version } = left.next().value as Change & { at: number };
      const effect = { outcome: 'written', json, version } as const;
      bytes += bytesOf(effect);
      if (bytes > maxBytes) return resultsTooLarge;
      shown[at] = effect;
    }
  }
  return bytes > maxBytes ? resultsTooLarge : { outcome: 'done', results: shown };
}

/** The result of a write whose answer is longer than there is room for. */
const resultsTooLarge = { outcome: 'refused', at: 0, reason: { outcome: 'results_too_large' } } as const;

const isWhole = (effect: KeptEffect): effect is Effect => effect.outcome !== 'written' || 'json' in effect;

const bytesOf = (effect: Effect): number => (effect.outcome === 'written' ? Buffer.byteLength(effect.json) : 0);

/**
 * The JSON of a record as it was after each of some changes, the last one first: what later events have changed is undone in it. An
 * event is missing if it was removed, or if the resource had no events for a time.
 */
async function* pastOf(records: Records, id: string, changes: readonly Change[]): AsyncGenerator<string> {
  const table = records.tables.find(({ name }) => name === changes[0]?.table) as Table;
  const stored = await records.get(table.name, id, true);
  const record: Record<string, RecordValue> = stored ? { ...parseRecord(table, String(stored.json)) } : {};
  const eventsOf = async (query: Partial<EventQuery>): Promise<Event[]> => {
    const asked = { record: id, isDescending: true, limit: maxListLimit, ...query };
    const { events } = await records.ask(eventPages, asked);
    return events.map((json) => parseEvent(table, json));
  };
  const [deleted] = stored ? [] : await eventsOf({ operation: 'delete', limit: 1 });
  let current = (stored ?? deleted)?.version ?? 0;
  const oldest = Number(changes.at(-1)?.version);
  let page: Event[] = [];
  for (const { version } of changes) {
    for (; current > version; current--) {
      const lowest = Math.max(oldest + 1, current - maxListLimit + 1);
      if (page.length === 0) page = await eventsOf({ versions: [lowest, current] });
      // A start that computes fields again raises versions without events.
      if (page[0]?.version !== current && !table.logic) throw missing(id);
      const event = page[0]?.version === current ? page.shift() : undefined;
      for (const [field, [before]] of Object.entries(event?.changes ?? {})) record[field] = before;
    }
    if (current < version) throw missing(id);
    yield current === stored?.version ? String(stored.json) : jsonOf(table, record);
  }
}

const missing = (id: string): ApiError =>
  unavailable(`The response to the first request is gone: events of ${id} are not there.`);

/** The JSON of a record, as the engines print it. */
const jsonOf = ({ columns }: Table, record: Readonly<Record<string, RecordValue>>): string =>
  `{${columns.map((column) => `"${column.name}":${printValue(column, record[column.name] ?? null)}`).join()}}`;

const printValue = (column: Column, value: RecordValue): string =>
  column.type === 'double precision' && typeof value === 'number'
    ? printNumber(value)
    : printJson(presentValue(column, value));
