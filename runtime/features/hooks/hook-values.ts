import type { z } from 'zod';
import { columnValue, factsOf, type RecordValue, type Value } from '../../kernel/model/fields.ts';
import { freeFields, isAlwaysSet, schemaOf, type ShownRecord, type Table } from '../../kernel/model/table.ts';
import { creatable } from '../../kernel/model/shapes.ts';
import { validate } from '../../kernel/model/validate.ts';
import { ApiError } from '../../kernel/model/errors.ts';
import { operationsOf } from '../../kernel/model/operations.ts';
import {
  type Fields,
  type PreparedWrite,
  prepareWrite,
  recordTooLarge,
  updateRecord,
} from '../../kernel/records/prepare.ts';
import { fitsRecord } from '../../kernel/records/record-size.ts';
import type { SingleWrite } from '../../kernel/records/write.ts';

/** A record that a hook may change. */
export type Draft = Record<string, RecordValue>;

/** A record as hooks see it: objects and arrays of any form are what JavaScript makes of them. */
export const seenByHooks = (table: Table, record: ShownRecord): ShownRecord =>
  freeFields(table.columns).length > 0 ? (JSON.parse(JSON.stringify(record)) as ShownRecord) : record;

/** The values of fields, as a record can have them. @param where the code that sets them, for errors. @throws Error for any other value */
function checkedFields(table: Table, where: string, fields: Fields): Record<string, RecordValue> {
  const { shape } = schemaOf(table);
  const entries = Object.entries(fields).flatMap(([name, value]): [string, RecordValue][] => {
    const field = shape[name];
    const { always, isAssigned } = field ? factsOf(field as z.ZodType) : {};
    if (!field || isAlwaysSet({ name }) || always || isAssigned) throw new Error(`${where} cannot set ${name}.`);
    if (table.logic?.computed[name]) throw new Error(`${where} cannot set ${name}, which is computed.`);
    if (value === undefined) return [];
    const result = (field as z.ZodType).safeParse(value);
    if (result.success) return [[name, result.data as RecordValue]];
    const words = result.error.issues.map(({ message }) => message).join('; ');
    throw new Error(`${where} sets ${name} to ${JSON.stringify(value)}: ${words}.`);
  });
  return Object.fromEntries(entries);
}

/** The fields of a record that a hook creates. @throws Error if one is missing, or has a value that no record can have */
export function checkedRecord(table: Table, body: Fields): Fields {
  const where = `create('${table.path}')`;
  for (const [name, field] of Object.entries(schemaOf(table).shape)) {
    const isRequired = factsOf(field as z.ZodType).presence === 'required';
    if (isRequired && body[name] === undefined) throw new Error(`${where} needs the field ${name}.`);
  }
  return checkedFields(table, where, body);
}

/** A change of another record by a hook, which may set what only the service sets. */
export function updateByHook(table: Table, id: string, changes: Fields): PreparedWrite<'written'> {
  const where = `update('${table.path}')`;
  const { unlistedBy: archivedAt = '' } = table;
  if (changes[archivedAt] !== undefined) throw new Error(`${where} cannot set ${archivedAt}: use move.`);
  const isReadOnly = (field: string): boolean => table.columns.some(({ name, readOnly }) => name === field && readOnly);
  const closed = table.transitions.find(
    ({ field, to }) => to !== undefined && changes[field] !== undefined && isReadOnly(field),
  );
  if (closed) throw new Error(`${where} cannot set ${closed.field}, which only transitions set: use move.`);
  return updateRecord(table, id, checkedFields(table, where, changes), undefined, true);
}

/**
 * A transition of another record by a hook, or its archive.
 *
 * @throws ApiError `invalid_body` (422) for an input that a request could not send. Error if there is no such transition
 */
export async function moveByHook(
  request: Pick<Parameters<typeof prepareWrite>[1], 'records' | 'table' | 'id' | 'actor'>,
  name: string,
  input: Fields,
): Promise<PreparedWrite> {
  const { table } = request;
  const operation = operationsOf(table).find((one) => one.name === name && one.action === 'transition');
  if (!operation) throw new Error(`move('${table.path}'): there is no transition ${name}.`);
  const { transition } = operation;
  try {
    const body = transition?.input ? validate(creatable(schemaOf(transition)), input) : {};
    return await prepareWrite(operation, { ...request, body });
  } catch (error) {
    throw error instanceof ApiError ? withoutPointers(error) : error;
  }
}

/** An error of a write that a hook adds, as that of the request: its body has none of the fields. */
export function withoutPointers({ row, message, headers, extensions }: ApiError): ApiError {
  const errors = extensions.errors?.map((error) => {
    const isNamed = row.code === 'rule_violated' || error.pointer === '';
    return { ...error, pointer: '', message: isNamed ? error.message : `${error.pointer.slice(1)} ${error.message}` };
  });
  return new ApiError(row, message, { headers, ...extensions, ...(errors && { errors }) });
}

/**
 * A write, with what its hook has changed in the record.
 *
 * @param before the record that is stored, if there is one
 * @param given the record as the hook got it
 * @throws ApiError `record_too_large` (413). Error for a value that no record can have
 */
export function changedWrite(
  prepared: PreparedWrite,
  hook: string,
  { before, given, record }: { before?: ShownRecord | undefined; given: Draft; record: Draft },
): PreparedWrite {
  const { table, write, body } = prepared;
  const differing = Object.entries(record).filter(([name, value]) => !isSame(value, given[name]));
  if (differing.length === 0) return prepared;
  const changes = checkedFields(table, hook, Object.fromEntries(differing));
  for (const { name, immutable } of table.columns) {
    const isFixed = immutable === true || (immutable === 'once_set' && before?.[name] !== null);
    if (before && isFixed && name in changes) throw new Error(`${hook} changes ${name}, which is immutable.`);
  }
  const set = Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, columnValue(value)]));
  return { ...prepared, body: { ...body, ...changes }, write: withValues(table, write, set) };
}

function withValues(table: Table, write: SingleWrite, set: Readonly<Record<string, Value>>): SingleWrite {
  if (write.op === 'update') return { ...write, set: { ...write.set, ...set } };
  if (write.op === 'transition') return { ...write, values: { ...write.values, ...set } };
  if (write.op !== 'insert') return write;
  const values = table.columns.map(({ name }, i) => (name in set ? set[name] : write.values[i]) ?? null);
  if (!fitsRecord(table, values)) throw recordTooLarge(table);
  const absent = write.absent?.filter((name) => !(name in set));
  return { ...write, values, ...(absent && { absent }) };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
