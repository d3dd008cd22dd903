import type { z } from 'zod';
import { columnValue, factsOf, type FieldValue, type Value } from '../model/fields.ts';
import { isAlwaysSet, schemaOf, type ShownRecord, type Table } from '../model/table.ts';
import { type Fields, type PreparedWrite, recordTooLarge, updateRecord } from './prepare.ts';
import { fitsRecord } from './record-size.ts';
import type { SingleWrite } from './write.ts';

/** A record that a hook may change. */
export type Draft = Record<string, FieldValue>;

/** The values of fields, as a record can have them. @param where the code that sets them, for errors. @throws Error for any other value */
function checkedFields(table: Table, where: string, fields: Fields): Record<string, FieldValue> {
  const { shape } = schemaOf(table);
  const entries = Object.entries(fields).flatMap(([name, value]): [string, FieldValue][] => {
    const field = shape[name];
    if (!field || isAlwaysSet({ name })) throw new Error(`${where} cannot set ${name}.`);
    if (value === undefined) return [];
    const result = (field as z.ZodType).safeParse(value);
    if (result.success) return [[name, result.data as FieldValue]];
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
  const fields = checkedFields(table, `update('${table.path}')`, changes);
  return updateRecord(table, id, fields, undefined, true);
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
  return { ...write, values };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
