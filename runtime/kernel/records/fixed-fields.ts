import type { FieldError } from '../model/errors.ts';
import { columnValue, type FieldValue } from '../model/fields.ts';
import { parseRecord, schemaOf, showsValue, type Table } from '../model/table.ts';
import type { Records } from './store.ts';

/** The error of a field that an update cannot change. */
export function fixedField({ columns }: Table, name: string): FieldError {
  const isReadOnly = columns.some((column) => column.name === name && column.readOnly);
  const why = isReadOnly ? 'is set by the service' : 'cannot be changed';
  const message = `${why}; leave it out, or send the value it has`;
  return { pointer: `/${name}`, code: isReadOnly ? 'read_only' : 'immutable', message };
}

/**
 * The errors of the fields that an update cannot change, of a body that has other errors: the write itself finds them otherwise.
 * None if there is no such record.
 */
export async function fixedFieldErrors(
  records: Records,
  table: Table,
  id: string,
  body: object,
): Promise<FieldError[]> {
  const { shape } = schemaOf(table);
  const sent = table.columns.flatMap((column) => {
    const { name, readOnly, immutable } = column;
    if (!(readOnly || immutable) || !Object.hasOwn(body, name)) return [];
    const value = shape[name]?.safeParse(body[name as keyof typeof body]);
    return value?.success ? [{ column, value: columnValue(value.data as FieldValue) }] : [];
  });
  if (sent.length === 0) return [];
  const stored = await records.get(table.name, id);
  if (!stored) return [];
  const record = parseRecord(table, String(stored.json));
  const changed = sent.filter(({ column, value }) => {
    const shown = record[column.name] as FieldValue;
    const isUnset = column.immutable === 'once_set' && shown === null;
    return !isUnset && !showsValue(column, shown, value);
  });
  return changed.map(({ column }) => fixedField(table, column.name));
}
