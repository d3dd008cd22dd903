import { ApiError, invalidFields } from '../model/errors.ts';
import { currentTime, newId } from '../model/ids.ts';
import { columnValue, type RecordValue, type Value } from '../model/fields.ts';
import type { AddedOperation, ResourceOperation, Transition, WriteName } from '../model/operations.ts';
import { type Circumstances, valueOfMoment } from '../model/moments.ts';
import { absentValue, type Column, type Table } from '../model/table.ts';
import { continueAfterStored } from './clock.ts';
import { fitsRecord } from './record-size.ts';
import type { Records } from './store.ts';
import type { Effect, SingleWrite, Versions, WriteOf } from './write.ts';

/** A body that its schema has accepted. */
export type Fields = Readonly<Record<string, RecordValue | undefined>>;

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
 * Prepares to store a new record or line item, its absent fields filled with their defaults.
 *
 * The write fails with ApiError `parent_missing` (409), `not_unique` (409) or `idx_exhausted` (409).
 *
 * @param actor who makes the request, as events name it
 * @throws ApiError `record_too_large` (413)
 */
export async function createRecord(
  records: Records,
  table: Table,
  body: Fields,
  actor: string | null = null,
): Promise<PreparedWrite<'written'>> {
  await continueAfterStored(records, table);
  const { id, time } = newId(table.name);
  const absent: string[] = [];
  const values = table.columns.map((column) => {
    const { name } = column;
    if (column.copies && body[name] === undefined) absent.push(name);
    if (name === 'id') return id;
    if (name === 'created_at' || name === 'updated_at') return time;
    return storedValue(column, body, { time, actor });
  });
  if (!fitsRecord(table, values)) throw recordTooLarge(table);
  const write = { op: 'insert', table: table.name, values, ...(absent.length > 0 && { absent }) } as const;
  return { table, write, success: 'written', body, id };
}

/** The value of a field that a body may leave out. */
function storedValue(column: Column, body: Fields, write: Circumstances): Value {
  const sent = body[column.name];
  return sent === undefined ? absentValue(column, write) : columnValue(sent);
}

/**
 * Prepares to change the fields that the body names. Read-only and immutable fields may be repeated with the values they have, so
 * that a client can send back what it has read.
 *
 * The write fails with ApiError `not_found` (404), `stale` (412), `parent_missing` (409), `not_unique` (409), `record_too_large`
 * (413), or `invalid_body` (422) for a read-only or immutable field that differs.
 *
 * @param isHook whether it is a hook's, which sets read-only fields, too
 */
export function updateRecord(
  table: Table,
  id: string,
  body: Fields,
  versions?: Versions,
  isHook = false,
): PreparedWrite<'written'> {
  const set: Record<string, Value> = {};
  const expected: Record<string, Value | readonly Value[]> = {};
  for (const { name, readOnly, immutable } of table.columns) {
    const sent = body[name];
    if (sent === undefined) continue;
    const value = columnValue(sent);
    if ((readOnly && !isHook) || immutable === true) expected[name] = value;
    else set[name] = value;
    if (immutable === 'once_set') expected[name] = [null, value];
  }
  const write = { op: 'update', table: table.name, id, set, expected, time: currentTime() } as const;
  return { table, write: { ...write, ...(versions && { versions }) }, success: 'written', body };
}

/**
 * Prepares to give line items of one parent a new order, all or none.
 *
 * The write fails with ApiError `not_found` (404), or `invalid_body` (422) for items of several parents.
 *
 * @throws ApiError `invalid_body` (422) for an id that is repeated
 */
function reorderItems(table: Table, items: WriteOf<'reorder'>['items']): PreparedWrite<'reordered'> {
  const first = new Map(items.map(({ id }, index) => [id, index] as const).toReversed());
  const repeated = items.flatMap(({ id }, index) => (first.get(id) === index ? [] : [`items/${index}/id`]));
  if (repeated.length > 0) throw invalidFields(repeated, 'duplicate', 'repeats the id of an earlier item');
  return { table, write: { op: 'reorder', table: table.name, items }, success: 'reordered' };
}

/** A request for a write, checked as far as that is possible without the behaviour of its operation. */
interface WriteRequest {
  readonly records: Records;
  /** The name of its sender in events. */
  readonly actor: string | null;
  readonly table: Table;
  /** The id in the path; empty if it has none. */
  readonly id: string;
  /** The body as its schema has accepted it. */
  readonly body: unknown;
  /** The versions that `If-Match` allows. */
  readonly versions?: Versions | undefined;
}

/** Prepares to set the fields of an operation that a trait has added. */
function setFields(
  sets: AddedOperation['sets'],
  { table, id, versions, actor }: WriteRequest,
): PreparedWrite<'written'> {
  const circumstances = { time: currentTime(), actor };
  const entries = Object.entries(sets).map(([name, value]) => [name, value && valueOfMoment(value, circumstances)]);
  return updateRecord(table, id, Object.fromEntries(entries) as Fields, versions, true);
}

/** How each write is prepared. A new one does not compile until it has its row. */
const preparations: { readonly [O in WriteName]: (request: WriteRequest) => PreparedWrite | Promise<PreparedWrite> } = {
  create: ({ records, table, body, actor }) => createRecord(records, table, body as Fields, actor),
  update: ({ table, id, body, versions }) => updateRecord(table, id, body as Fields, versions),
  // It, its line items, and what references say. Fails with ApiError `not_found` (404), `stale` (412), `still_referenced` or
  // `cascade_too_large` (409).
  delete: ({ table, id, versions }) => ({
    table,
    write: { op: 'delete', table: table.name, id, time: currentTime(), ...(versions && { versions }) },
    success: 'deleted',
    id,
  }),
  reorder: ({ table, body }) => reorderItems(table, (body as Pick<WriteOf<'reorder'>, 'items'>).items),
};

/**
 * Prepares a write of any operation; see the functions above for their errors. The test and the move of a transition are one
 * step, so that of racing moves one wins. It fails with ApiError `not_found` (404), `stale` (412), `wrong_state` (409),
 * `not_unique` (409) or `record_too_large` (413).
 */
export async function prepareWrite(
  { name, transition, sets }: ResourceOperation,
  request: WriteRequest,
): Promise<PreparedWrite> {
  if (transition) return moveRecord(transition, request);
  const prepared = sets ? setFields(sets, request) : await preparations[name as WriteName](request);
  const { write } = prepared;
  return write.op === 'update' ? { ...prepared, write: { ...write, operation: name } } : prepared;
}

function moveRecord({ input, ...move }: Transition, request: WriteRequest): PreparedWrite<'written'> {
  const { table, id, versions, actor } = request;
  const time = currentTime();
  const sent = (request.body ?? {}) as Fields;
  const values =
    input && Object.fromEntries(input.map((column) => [column.name, storedValue(column, sent, { time, actor })]));
  const write = { op: 'transition', table: table.name, id, ...move, time } as const;
  return {
    table,
    write: { ...write, ...(values && { input: values }), ...(versions && { versions }) },
    success: 'written',
    body: Object.fromEntries(Object.entries(inputsOf(write)).map(([field, name]) => [field, values?.[name] ?? null])),
  };
}

/** The inputs of a transition, by the fields that they set. */
export const inputsOf = ({ set = {} }: Pick<Transition, 'set'>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(set).flatMap(([field, value]) => ('input' in value ? [[field, value.input]] : [])));

export const recordTooLarge = ({ title, maxBody }: Table): ApiError =>
  new ApiError('record_too_large', `The JSON of the ${title} would have more than ${maxBody} bytes.`);
