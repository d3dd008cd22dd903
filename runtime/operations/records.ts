import { ApiError, type FieldErrorCode, invalidBody, notFound, shorten } from '../errors.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { newId, currentTime } from '../ids.ts';
import type { Value } from '../schema/fields.ts';
import type { Table } from '../schema/table.ts';
import { continueAfterStored } from './clock.ts';
import type { Items, Json, Listing, Page, Records, View, Write, WriteOf, WriteResult } from '../store/store.ts';

/** A body that its schema has accepted. */
export type Fields = Readonly<Record<string, Value | undefined>>;

/**
 * Stores a new record or line item, its absent fields filled with their defaults.
 *
 * @returns its id and its JSON, as every operation returns it
 * @throws ApiError `parent_missing` (409), `idx_exhausted` (409).
 */
export async function createRecord(
  records: Records,
  table: Table,
  body: Fields,
): Promise<{ id: string; text: string }> {
  const looked = continueAfterStored(records, table);
  if (looked) await looked;
  const { id, time } = newId(table.name);
  const values = table.columns.map(({ name, default: value }) => {
    if (name === 'id') return id;
    if (name === 'created_at' || name === 'updated_at') return time;
    const sent = body[name];
    return sent === undefined ? value : sent;
  });
  const { json: text } = await perform(records, table, { op: 'insert', table: table.name, values }, 'written', body);
  return { id, text };
}

/** @throws ApiError `not_found` (404). */
export function retrieveRecord(records: Records, table: Table, id: string): MaybePromise<Json> {
  return andThen(records.get(table.name, id), (text) => {
    if (text === undefined) throw notFound(table.title, id);
    return text;
  });
}

/** @throws ApiError `not_found` (404). */
export function showRecord(records: Records, table: Table, id: string, view: View): MaybePromise<Items> {
  return andThen(records.show(table.name, id, view), (items) => {
    if (items === undefined) throw notFound(table.title, id);
    return typeof items === 'string' || Array.isArray(items) ? items : notEmpty(items as AsyncIterable<Uint8Array>);
  });
}

/** A streamed record may be deleted before it is read, when its answer has begun. */
async function* notEmpty(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  for await (const chunk of chunks) {
    isEmpty = false;
    yield chunk;
  }
  if (isEmpty) throw new ApiError('not_found', 'The record was deleted while it was read.');
}

/** The one record of a singleton, as the view shows it. */
export function showSettings(records: Records, table: Table, view: View): MaybePromise<Items> {
  return andThen(records.only(table.name), (text) => {
    const { id } = JSON.parse(text) as { id: string };
    return showRecord(records, table, id, view);
  });
}

/** @throws ApiError `invalid_query` (400) where `after` names no line item of the parent, or no record where a sort needs it. */
export function listRecords(records: Records, table: Table, page: Page): MaybePromise<Listing> {
  return andThen(records.list(table.name, page), (listing) => {
    if (listing) return listing;
    const missing = table.parent
      ? 'no item of this parent: it may have been deleted or moved'
      : 'no record of this list';
    const reason = page.sort ? `${missing}. With a "sort" it must exist` : missing;
    throw new ApiError(
      'invalid_query',
      `The query parameter "after" names ${reason}. Continue with "offset", or from the first page.`,
    );
  });
}

/**
 * Changes the fields that the body names. Read-only fields may be repeated with the values they have, so that a client
 * can send back what it has read.
 *
 * @throws ApiError `not_found` (404), `parent_missing` (409), `invalid_body` (422) for a read-only field that differs.
 */
export async function updateRecord(records: Records, table: Table, id: string, body: Fields): Promise<string> {
  const set: Record<string, Value> = {};
  const expected: Record<string, Value> = {};
  for (const { name, readOnly } of table.columns) {
    const value = body[name];
    if (value !== undefined) (readOnly ? expected : set)[name] = value;
  }
  const write = { op: 'update', table: table.name, id, set, expected, time: currentTime() } as const;
  return (await perform(records, table, write, 'written', body)).json;
}

/** @throws ApiError `not_found` (404). */
export async function deleteRecord(records: Records, table: Table, id: string): Promise<void> {
  await perform(records, table, { op: 'delete', table: table.name, id }, 'deleted');
}

/** A move of a field from one of some states to another. */
export type Transition = Pick<WriteOf<'transition'>, 'field' | 'from' | 'to'>;

/**
 * Moves a record to another state: the test and the move are one step, so that of racing moves one wins.
 *
 * @throws ApiError `not_found` (404), `wrong_state` (409).
 */
export async function moveRecord(records: Records, table: Table, id: string, move: Transition): Promise<string> {
  const write = { op: 'transition', table: table.name, id, ...move, time: currentTime() } as const;
  return (await perform(records, table, write, 'written')).json;
}

/**
 * Gives line items of one parent a new order, all or none.
 *
 * @returns the parent, as `Page.where` takes it
 * @throws ApiError `not_found` (404), `invalid_body` (422) for an id that is repeated or items of several parents.
 */
export async function reorderItems(
  records: Records,
  table: Table,
  items: readonly { id: string; idx: number }[],
): Promise<Readonly<Record<string, Value>>> {
  const first = new Map(items.map(({ id }, index) => [id, index] as const).toReversed());
  const repeated = items.flatMap(({ id }, index) => (first.get(id) === index ? [] : [`items/${index}/id`]));
  if (repeated.length > 0) throw invalidFields(repeated, 'duplicate', 'repeats the id of an earlier item');
  return (await perform(records, table, { op: 'reorder', table: table.name, items }, 'reordered')).parent;
}

const invalidFields = (paths: readonly string[], code: FieldErrorCode, message: string): ApiError =>
  invalidBody(paths.map((path) => ({ pointer: `/${path}`, code, message })));

type Success = 'written' | 'deleted' | 'reordered';
type Result<Outcome> = Extract<WriteResult, { outcome: Outcome }>;

/** @throws ApiError where the write does not end as `success`; it quotes the body. */
async function perform<S extends Success>(records: Records, table: Table, write: Write, success: S, body: Fields = {}) {
  const result = await records.write(write);
  if (result.outcome === success) return result as Result<S>;
  throw errorOf(result as Exclude<WriteResult, Result<Success>>, table, write, body);
}

/** The error of a write that was not done. A new outcome does not compile until it has a case here. */
function errorOf(failure: Exclude<WriteResult, Result<Success>>, table: Table, write: Write, body: Fields): ApiError {
  switch (failure.outcome) {
    case 'not_found':
      return notFound(table.title, failure.id);
    case 'unexpected':
      return invalidFields(
        failure.columns,
        'read_only',
        'is set by the service; leave it out, or send the value it has',
      );
    case 'wrong_state': {
      const { field, from } = write as WriteOf<'transition'>;
      const states = from.map((state) => JSON.stringify(state)).join(' or ');
      const state = typeof failure.state === 'string' ? JSON.stringify(shorten(failure.state)) : String(failure.state);
      return new ApiError('wrong_state', `The ${field} of the ${table.title} is ${state}; it must be ${states}.`);
    }
    case 'parent_missing': {
      const field = table.parent?.field ?? '';
      const title = (table.parent?.table ?? '').replaceAll('_', ' ');
      const id = JSON.stringify(shorten(String(body[field])));
      return new ApiError('parent_missing', `No ${title} has the id ${id} given in ${field}.`);
    }
    case 'idx_exhausted':
      return new ApiError('idx_exhausted', 'The last item has the largest possible idx. Give it a smaller one first.');
    case 'different_parent': {
      const paths = failure.indices.map((index) => `items/${index}/id`);
      return invalidFields(paths, 'different_parent', 'belongs to another parent than the first item');
    }
  }
}
