import { ApiError, invalidBody, notFound } from '../errors.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { newId, currentTime } from '../ids.ts';
import type { Value } from '../schema/fields.ts';
import type { Table } from '../schema/table.ts';
import type { Listing, Page, Store, Write, WriteResult } from '../store/store.ts';

/** A body that its schema has accepted. */
export type Fields = Readonly<Record<string, Value | undefined>>;

/** The JSON text of a record, as a client sees it. */
export type RecordText = string;

/**
 * Stores a new record or line item, its absent fields filled with their defaults.
 *
 * @throws ApiError `parent_missing` (409), `idx_exhausted` (409).
 */
export async function createRecord(
  store: Store,
  table: Table,
  body: Fields,
): Promise<{ id: string; text: RecordText }> {
  const { id, time } = newId(table.name);
  const values = table.columns.map(({ name, default: value }) => {
    if (name === 'id') return id;
    if (name === 'created_at' || name === 'updated_at') return time;
    const sent = body[name];
    return sent === undefined ? value : sent;
  });
  const text = written(table, await store.write({ op: 'insert', table: table.name, values }), body);
  return { id, text };
}

/** @throws ApiError `not_found` (404). */
export function retrieveRecord(store: Store, table: Table, id: string): MaybePromise<RecordText> {
  return andThen(store.get(table.name, id), (text) => {
    if (text === undefined) throw notFound(table.title, id);
    return text;
  });
}

/** The one record of a singleton. */
export const retrieveOnly = (store: Store, table: Table): MaybePromise<RecordText> => store.only(table.name);

/** @throws ApiError `invalid_query` (400) where `after` is no line item of the parent that is asked for. */
export function listRecords(store: Store, table: Table, page: Page): MaybePromise<Listing> {
  return andThen(store.list(table.name, page), (listing) => {
    if (listing) return listing;
    throw new ApiError(
      'invalid_query',
      'The query parameter "after" names no item of this parent: it may have been deleted or moved. ' +
        'Go on with "offset", or from the first page.',
    );
  });
}

/**
 * Changes the fields that the body names. Read-only fields may be repeated with the values they have, so that a client
 * can send back what it has read.
 *
 * @throws ApiError `not_found` (404), `parent_missing` (409), `invalid_body` (422) for a read-only field that differs.
 */
export async function updateRecord(store: Store, table: Table, id: string, body: Fields): Promise<RecordText> {
  const set: Record<string, Value> = {};
  const expected: Record<string, Value> = {};
  for (const { name, readOnly } of table.columns) {
    const value = body[name];
    if (value !== undefined) (readOnly ? expected : set)[name] = value;
  }
  const write: Write = { op: 'update', table: table.name, id, set, expected, time: currentTime() };
  return written(table, await store.write(write), body);
}

/** @throws ApiError `not_found` (404). */
export async function deleteRecord(store: Store, table: Table, id: string): Promise<void> {
  const result = await store.write({ op: 'delete', table: table.name, id });
  if (result.outcome !== 'deleted') refuse(table, result, {});
}

/** A move of a field from one of some states to another. */
export interface Transition {
  readonly field: string;
  readonly from: readonly string[];
  readonly to: string;
}

/**
 * Moves a record to another state: the test and the move are one step, so that of racing moves one wins.
 *
 * @throws ApiError `not_found` (404), `wrong_state` (409).
 */
export async function moveRecord(store: Store, table: Table, id: string, move: Transition): Promise<RecordText> {
  const result = await store.write({ op: 'transition', table: table.name, id, ...move, time: currentTime() });
  if (result.outcome === 'wrong_state') {
    const from = move.from.map((state) => JSON.stringify(state)).join(' or ');
    throw new ApiError(
      'wrong_state',
      `The ${table.title} has the ${move.field} ${JSON.stringify(result.state)}; this needs ${from}.`,
    );
  }
  return written(table, result, {});
}

/**
 * Gives line items of one parent new places, all or none, and says which parent it is.
 *
 * @throws ApiError `not_found` (404), `invalid_body` (422) for an id that stands twice or items of several parents.
 */
export async function reorderItems(
  store: Store,
  table: Table,
  items: readonly { id: string; idx: number }[],
): Promise<Readonly<Record<string, Value>>> {
  const seen = new Set<string>();
  const repeated = items.flatMap(({ id }, place) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ pointer: `/items/${place}/id`, code: 'duplicate' as const, message: 'stands here a second time' }];
  });
  if (repeated.length > 0) throw invalidBody(repeated);
  const result = await store.write({ op: 'reorder', table: table.name, items });
  if (result.outcome === 'reordered') return result.parent;
  return refuse(table, result, {});
}

function written(table: Table, result: WriteResult, body: Fields): RecordText {
  return result.outcome === 'written' ? result.text : refuse(table, result, body);
}

function refuse(table: Table, result: WriteResult, body: Fields): never {
  switch (result.outcome) {
    case 'not_found':
      throw notFound(table.title, result.id);
    case 'unexpected':
      throw invalidBody(
        result.columns.map((name) => ({
          pointer: `/${name}`,
          code: 'read_only',
          message: 'is set by the service; leave it out, or send the value it has',
        })),
      );
    case 'parent_missing': {
      const field = table.parent?.field ?? '';
      const title = (table.parent?.table ?? '').replaceAll('_', ' ');
      const id = JSON.stringify(body[field]);
      throw new ApiError('parent_missing', `There is no ${title} with the id ${id} that ${field} names.`);
    }
    case 'idx_exhausted':
      throw new ApiError('idx_exhausted', 'The last item has the largest idx there is. Give it a smaller one first.');
    case 'different_parent':
      throw invalidBody(
        result.places.map((place) => ({
          pointer: `/items/${place}/id`,
          code: 'different_parent',
          message: 'belongs to another parent than the first item',
        })),
      );
    default:
      throw new Error(`A write of the table "${table.name}" ended as "${result.outcome}".`);
  }
}
