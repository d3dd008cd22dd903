import type { FieldValue, Value } from '../model/fields.ts';
import { mayBeLarge } from '../model/limits.ts';
import { showsValue } from '../model/table.ts';
import { type OrganizationWrite, valuesOfTransition } from '../records/write.ts';
import { changeParts } from './change-parts.ts';
import type { Dml } from './dml.ts';
import { laterTime } from './events.ts';
import type { Derived } from './logic.ts';
import type { StaleRecords } from './stale-records.ts';
import type { TableSql } from './table-sql.ts';
import type { Rows, WriteSteps } from './types.ts';
import { type ChangeRequest, parentField, type PartRows, type WritePart } from './write-part.ts';

/** Changes fields of a record. @param stale takes the parents whose totals may change */
export function update(dml: Dml, write: OrganizationWrite<'update'>, stale?: StaleRecords): WriteSteps {
  return change(dml, write, { stale, ...(write.operation !== undefined && { operation: write.operation }) });
}

/** Moves a state field of a record, and sets what the transition sets. @param stale as of `update` */
export function transition(dml: Dml, write: OrganizationWrite<'transition'>, stale?: StaleRecords): WriteSteps {
  const { name, field, from, to: _, requires, set: __, ...others } = write;
  const set = valuesOfTransition(write, write.origin.actor);
  const changed = { ...others, op: 'update', set, expected: { [field]: from } } as const;
  return change(dml, changed, { operation: name, state: field, requires: requires ?? [], stale });
}

/** Locks a record, checks what it would be, and stores that with its event. A change of nothing stores nothing. */
export function* change(
  dml: Dml,
  write: OrganizationWrite<'update'>,
  options: Partial<Pick<ChangeRequest, 'operation' | 'state' | 'requires' | 'stale'>>,
): WriteSteps {
  const { table, organization, id, set: given, time } = write;
  const { operation = 'update', state, requires = [], stale } = options;
  const sql = dml.of(table, organization);
  const names = namesToRead(sql, write, requires, dml.addedUp(table));
  // If the record is stale itself, it becomes as it has to be.
  const { items, isChanged } = stale?.take(table, id) ?? { items: [], isChanged: false };
  const request: ChangeRequest = { dml, sql, write, operation, state, requires, stale, items, isChanged, names };
  const before = changeParts.map((part) => part.before?.(request) ?? []);
  const behind = changeParts.map((part) => part.behind?.(request) ?? []);
  const statements = [...before.flat(), sql.forUpdate(id, names), ...behind.flat()];
  const results = yield { statements, keepsTransactionOpen: true };
  const at = before.flat().length;
  const [row] = results[at] ?? [];
  if (!row) return { outcome: 'not_found', id };
  const stored = sql.lockedRow(row, names);
  const [rowsBefore, rowsBehind] = [split(before, results.slice(0, at)), split(behind, results.slice(at + 1))];
  const rowsOf = (part: WritePart): PartRows => {
    const index = changeParts.indexOf(part);
    return { before: rowsBefore[index] ?? [], behind: rowsBehind[index] ?? [] };
  };
  let derived: Derived = { computed: {} };
  for (const { derive } of changeParts) if (derive) derived = yield* derive(request, stored);
  const set = { ...given, ...derived.computed };
  const isDifferent = (name: string): boolean =>
    !showsValue(sql.column(name), stored.record[name] as FieldValue, set[name] as Value);
  const changing = Object.keys(set).filter(isDifferent);
  const locked = { ...request, stored, set, derived, changing };
  for (const part of changeParts) {
    const rejection = part.reject?.(locked, rowsOf(part), rowsOf);
    if (rejection) return rejection;
  }
  if (changing.length === 0) {
    const [[whole = row] = []] = names ? yield { statements: [sql.get(id)] } : [];
    return { outcome: 'written', json: sql.dialect.returnedJson(sql.table, whole), version: stored.version };
  }
  const isTimed = sql.position('updated_at') !== -1;
  const columns = { ...set, ...(isTimed && { updated_at: laterTime(stored.record['updated_at'], time) }) };
  const effects = changeParts.map((part) => part.effects?.(locked, columns) ?? {});
  for (const { search } of changeParts) {
    const rejection = search && (yield* search(locked));
    if (rejection) return rejection;
  }
  const [[updated] = []] = yield Object.assign({ statements: [sql.update(id, columns)] }, ...effects);
  if (!updated) throw new Error('An update returned no record.');
  for (const part of changeParts) part.stored?.(locked);
  return { outcome: 'written', json: sql.dialect.returnedJson(sql.table, updated), version: stored.version + 1 };
}

/** The rows of the statements of each part. */
function split(parts: readonly (readonly unknown[])[], rows: Rows): Rows[] {
  let at = 0;
  return parts.map(({ length }) => rows.slice(at, (at += length)));
}

/** The columns of a large record that an update reads; all of it (undefined) if its rules may need them. */
function namesToRead(
  sql: TableSql,
  { set, expected }: OrganizationWrite<'update'>,
  requires: readonly string[],
  addedUp: Iterable<string> = [],
): readonly string[] | undefined {
  const { table } = sql;
  if (!mayBeLarge(table) || table.logic) return undefined;
  const own = ['id', 'idx', 'updated_at', parentField(sql), table.lock?.field ?? ''];
  return [...own, ...requires, ...addedUp, ...Object.keys(set), ...Object.keys(expected)];
}
