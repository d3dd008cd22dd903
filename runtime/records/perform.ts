import { ApiError, type FieldErrorCode, invalidBody, notFound } from '../model/errors.ts';
import { quoted } from '../model/text.ts';
import { maxBatchResults } from '../model/limits.ts';
import { andThen, type MaybePromise } from '../model/maybe-promise.ts';
import { newId, currentTime } from '../model/ids.ts';
import type { Value } from '../model/fields.ts';
import type { ResourceOperation, Transition, WriteName } from '../model/operations.ts';
import type { Table } from '../model/table.ts';
import { continueAfterStored } from './clock.ts';
import type {
  Effect,
  Items,
  ItemStream,
  Json,
  Listing,
  Page,
  Records,
  WriteRejection,
  SingleResult,
  SingleWrite,
  TooLong,
  Projection,
  WriteOf,
  WriteResult,
} from './store.ts';

/** A body that its schema has accepted. */
export type Fields = Readonly<Record<string, Value | undefined>>;

/** The outcome of a write that succeeds. */
export type Success = Effect['outcome'];
export type EffectOf<S extends Success> = Extract<Effect, { readonly outcome: S }>;

/** A write, checked as far as that is possible without the database. */
export interface PreparedWrite<S extends Success = Success> {
  readonly table: Table;
  readonly write: SingleWrite;
  readonly success: S;
  /** Quoted in errors. */
  readonly body?: Fields;
  /** The id of the record that it creates or deletes. */
  readonly id?: string;
}

/**
 * Performs a write.
 *
 * @param maxBytes those that the stored record that it answers with may have; without it, any
 * @returns `too_long` if it has more: then nothing is done
 * @throws ApiError where the write is not done; see the function that has prepared it
 */
export async function perform<S extends Success>(records: Records, prepared: PreparedWrite<S>): Promise<EffectOf<S>>;
export async function perform<S extends Success>(
  records: Records,
  prepared: PreparedWrite<S>,
  maxBytes: number | undefined,
): Promise<EffectOf<S> | TooLong>;
export async function perform<S extends Success>(
  records: Records,
  prepared: PreparedWrite<S>,
  maxBytes?: number,
): Promise<EffectOf<S> | TooLong> {
  const write = maxBytes === undefined ? prepared.write : { ...prepared.write, maxBytes };
  const result = (await records.write(write)) as SingleResult;
  if (result.outcome === prepared.success) return result as EffectOf<S>;
  if (result.outcome === 'too_long') return result;
  throw errorOf(prepared, result as WriteRejection);
}

/**
 * Performs writes in their order, all or none.
 *
 * @param next the error of a write that would follow them: none is done then
 * @param maxBytes those that the results may have together, if less than `maxBatchResults`
 * @returns undefined if they have more, but not more than `maxBatchResults` so far: then nothing is done
 * @throws ApiError of the first write that fails, with its place
 */
export async function performAll(
  records: Records,
  all: readonly PreparedWrite[],
  next: ApiError | undefined,
  maxBytes?: number,
): Promise<readonly Effect[] | undefined> {
  const [first] = all;
  if (!first) throw next ?? new Error('There are no writes.');
  const writes = all.map(({ write }) => write);
  const isTrial = next !== undefined;
  const limit = maxBytes === undefined ? undefined : { maxBytes };
  const result = await records.write({ op: 'batch', table: first.table.name, writes, isTrial, ...limit });
  if (result.outcome === 'done') return result.results;
  const { at, reason } = result as Extract<WriteResult, { outcome: 'refused' }>;
  if (reason?.outcome === 'results_too_long' && (maxBytes ?? maxBatchResults) < maxBatchResults) return undefined;
  if (reason) throw errorOf(all[at] as PreparedWrite, reason).ofOperation(at);
  throw next;
}

/**
 * Prepares to store a new record or line item, its absent fields filled with their defaults.
 *
 * The write fails with ApiError `parent_missing` (409) or `idx_exhausted` (409).
 */
export const createRecord = (records: Records, table: Table, body: Fields): MaybePromise<PreparedWrite<'written'>> =>
  andThen(continueAfterStored(records, table), () => {
    const { id, time } = newId(table.name);
    const values = table.columns.map(({ name, default: value }) => {
      if (name === 'id') return id;
      if (name === 'created_at' || name === 'updated_at') return time;
      const sent = body[name];
      return sent === undefined ? value : sent;
    });
    return { table, write: { op: 'insert', table: table.name, values }, success: 'written', body, id };
  });

/** @returns bytes that may be enough, if `maxBytes` are not. @throws ApiError `not_found` (404). */
export function retrieveRecord(
  records: Records,
  table: Table,
  id: string,
  maxBytes?: number,
): MaybePromise<Json | number> {
  return andThen(records.get(table.name, id, maxBytes), (text) => {
    if (text === undefined) throw notFound(table.title, id);
    return text;
  });
}

/** @throws ApiError `not_found` (404). */
export function showRecord(records: Records, table: Table, id: string, view: Projection): MaybePromise<Items> {
  return andThen(records.show(table.name, id, view), (items) => {
    if (items === undefined) throw notFound(table.title, id);
    return typeof items === 'string' || Array.isArray(items) ? items : notEmpty(items as ItemStream);
  });
}

/** A streamed record may be deleted before it is read, when its answer has begun. */
async function* notEmpty(chunks: ItemStream): ItemStream {
  let isEmpty = true;
  for await (const chunk of chunks) {
    isEmpty &&= typeof chunk === 'number';
    yield chunk;
  }
  if (isEmpty) throw new ApiError('not_found', 'The record was deleted while it was read.');
}

/** The one record of a singleton, as the view shows it. */
export function showSettings(records: Records, table: Table, view: Projection): MaybePromise<Items> {
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
 * Prepares to change the fields that the body names. Read-only fields may be repeated with the values they have, so that a
 * client can send back what it has read.
 *
 * The write fails with ApiError `not_found` (404), `parent_missing` (409), or `invalid_body` (422) for a read-only field that
 * differs.
 */
export function updateRecord(table: Table, id: string, body: Fields): PreparedWrite<'written'> {
  const set: Record<string, Value> = {};
  const expected: Record<string, Value> = {};
  for (const { name, readOnly } of table.columns) {
    const value = body[name];
    if (value !== undefined) (readOnly ? expected : set)[name] = value;
  }
  const write = { op: 'update', table: table.name, id, set, expected, time: currentTime() } as const;
  return { table, write, success: 'written', body };
}

/** Prepares to delete a record and its line items. The write fails with ApiError `not_found` (404). */
const deleteRecord = (table: Table, id: string): PreparedWrite<'deleted'> => ({
  table,
  write: { op: 'delete', table: table.name, id },
  success: 'deleted',
  id,
});

/**
 * Prepares to move a record to another state: the test and the move are one step, so that of racing moves one wins.
 *
 * The write fails with ApiError `not_found` (404) or `wrong_state` (409).
 */
const moveRecord = (
  table: Table,
  id: string,
  { field, from, to }: Omit<Transition, 'name'>,
): PreparedWrite<'written'> => ({
  table,
  write: { op: 'transition', table: table.name, id, field, from, to, time: currentTime() },
  success: 'written',
});

/** The place that a line item is to have. */
interface Place {
  readonly id: string;
  readonly idx: number;
}

/**
 * Prepares to give line items of one parent a new order, all or none.
 *
 * The write fails with ApiError `not_found` (404), or `invalid_body` (422) for items of several parents.
 *
 * @throws ApiError `invalid_body` (422) for an id that is repeated
 */
function reorderItems(table: Table, items: readonly Place[]): PreparedWrite<'reordered'> {
  const first = new Map(items.map(({ id }, index) => [id, index] as const).toReversed());
  const repeated = items.flatMap(({ id }, index) => (first.get(id) === index ? [] : [`items/${index}/id`]));
  if (repeated.length > 0) throw invalidFields(repeated, 'duplicate', 'repeats the id of an earlier item');
  return { table, write: { op: 'reorder', table: table.name, items }, success: 'reordered' };
}

/** A request for a write, checked as far as that is possible without the behaviour of its operation. */
interface WriteRequest {
  readonly records: Records;
  readonly table: Table;
  /** The id in the path; empty if it has none. */
  readonly id: string;
  /** The body as its schema has accepted it. */
  readonly body: unknown;
}

/** How each write is prepared. A new one does not compile until it has its row. */
const preparations: { readonly [O in WriteName]: (request: WriteRequest) => MaybePromise<PreparedWrite> } = {
  create: ({ records, table, body }) => createRecord(records, table, body as Fields),
  update: ({ table, id, body }) => updateRecord(table, id, body as Fields),
  delete: ({ table, id }) => deleteRecord(table, id),
  reorder: ({ table, body }) => reorderItems(table, (body as { readonly items: readonly Place[] }).items),
};

/** Prepares a write of any operation. See the functions above for its errors. */
export const prepareWrite = (
  { name, transition }: ResourceOperation,
  request: WriteRequest,
): MaybePromise<PreparedWrite> =>
  transition ? moveRecord(request.table, request.id, transition) : preparations[name as WriteName](request);

const invalidFields = (paths: readonly string[], code: FieldErrorCode, message: string): ApiError =>
  invalidBody(paths.map((path) => ({ pointer: `/${path}`, code, message })));

/** The error of a write that was not done. A new outcome does not compile until it has a case here. */
function errorOf({ table, write, body = {} }: PreparedWrite, failure: WriteRejection): ApiError {
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
      const state = typeof failure.state === 'string' ? quoted(failure.state) : String(failure.state);
      return new ApiError('wrong_state', `The ${field} of the ${table.title} is ${state}; it must be ${states}.`);
    }
    case 'parent_missing': {
      const field = table.parent?.field ?? '';
      const title = (table.parent?.table ?? '').replaceAll('_', ' ');
      const id = quoted(String(body[field]));
      return new ApiError('parent_missing', `No ${title} has the id ${id} given in ${field}.`);
    }
    case 'idx_exhausted':
      return new ApiError('idx_exhausted', 'The last item has the largest possible idx. Give it a smaller one first.');
    case 'different_parent': {
      const paths = failure.indices.map((index) => `items/${index}/id`);
      return invalidFields(paths, 'different_parent', 'belongs to another parent than the first item');
    }
    case 'too_long':
      throw new Error('A write is too long although nothing was said of its length.');
    case 'results_too_long': {
      const mebibytes = maxBatchResults / 1024 / 1024;
      const detail = `The results of the batch are longer than ${mebibytes} MiB. Send fewer operations at once.`;
      return new ApiError('body_too_large', detail);
    }
  }
}
