import { maxCascade, maxNamed } from '../model/limits.ts';
import type { Reference, Value } from '../model/fields.ts';
import type { ShownRecord } from '../model/table.ts';
import type { OrganizationWrite, Origin, WriteRejection } from '../records/write.ts';
import { changesOf, eventsOf, hasEvents, laterTime, noteDeleted } from './events.ts';
import type { NewEvent, Row, Rows, Statement, Steps, WriteSteps } from './types.ts';
import { changesBy, RowCounts } from './row-counters.ts';
import { literal, quote, versionColumn } from './schema.ts';
import type { TableSql } from './table-sql.ts';
import type { Dml } from './dml.ts';
import type { StaleRecords } from './stale-records.ts';
import { lockParents, parentLock, rejectItems, rejectLocked, rejectRecord } from './record-locks.ts';
import { clearedColumns } from './unique.ts';
import { type ChangeRequest, parentField, type WritePart } from './write-part.ts';

/** A record that a write names: it must exist until the write is visible. */
export interface NamedRecord {
  readonly column: string;
  /** Returns its id and state if it exists. */
  readonly lock: Statement;
}

/**
 * The records that values of a row name: the parent first, where this service has it.
 *
 * @param valueOf the value of a column; undefined or null if it names none
 * @param isAppended whether the place of a line item depends on its siblings: the next one waits for its parent
 */
export function namedRecords(
  dml: Dml,
  sql: TableSql,
  valueOf: (column: string) => Value | undefined,
  isAppended = false,
): NamedRecord[] {
  const { table, organization } = sql;
  const { parent } = table;
  const lockOfParent = parentLock(dml, sql, isAppended || dml.addedUp(table.name) !== undefined);
  const ofParent =
    parent?.table === undefined ? [] : [{ column: parent.field, table: parent.table, lock: lockOfParent } as const];
  const references = dml.referencesOf(table.name).map((one) => ({ ...one, lock: 'againstDelete' as const }));
  return [...ofParent, ...references].flatMap(({ column, table: target, lock }) => {
    const id = valueOf(column) ?? null;
    return id === null ? [] : [{ column, lock: dml.of(target, organization).lock(id, lock) }];
  });
}

/** The rejection of a write that names records which do not exist. @param results the rows of their locks, in their order */
export function rejectMissing(
  { table }: TableSql,
  named: readonly NamedRecord[],
  results: Rows,
): WriteRejection | undefined {
  const columns = named.filter((_, i) => results[i]?.length === 0).map(({ column }) => column);
  if (columns.length === 0) return undefined;
  return columns[0] === table.parent?.field ? { outcome: 'parent_missing' } : { outcome: 'reference_missing', columns };
}

const namedByReferences = ({ dml, sql, write }: ChangeRequest): NamedRecord[] =>
  namedRecords(dml, sql, (column) => (column === parentField(sql) ? undefined : write.set[column]));

/** The records that references of a change name. */
export const references: WritePart = {
  before: (change) => namedByReferences(change).map(({ lock }) => lock),
  // The names are only needed if a record is missing.
  reject: (change, { before }) =>
    before.every(({ length }) => length > 0) ? undefined : rejectMissing(change.sql, namedByReferences(change), before),
};

/** Ids of records, by table. */
type Ids = Map<string, readonly string[]>;

/** Rows that reference some records by a column. */
interface Referring {
  readonly sql: TableSql;
  readonly column: string;
  readonly onDelete: Reference['onDelete'];
  readonly ids: readonly string[];
}

/** Rows that were found, each with its id and its parent. */
interface Found extends Referring {
  readonly rows: readonly Row[];
}

/** A delete that is under way. */
interface Deletion {
  readonly dml: Dml;
  readonly organization: number;
  readonly origin: Origin;
  /** The records that it has deleted, without line items that went with these. */
  readonly ids: Ids;
  readonly counts: RowCounts;
  /** The records that may have to change with it. */
  readonly stale: StaleRecords | undefined;
  /** How many rows it changes beside the first one. */
  others: number;
}

/** Deletes a record, its line items, and what the references to it say. */
export function* remove(
  dml: Dml,
  { table, organization, origin, id, time, versions, isAlone }: OrganizationWrite<'delete'>,
  stale?: StaleRecords,
): WriteSteps {
  const root = dml.of(table, organization);
  const parents = lockParents(dml, root, [id]);
  // The event has all of it.
  const names = hasEvents(root.table)
    ? undefined
    : ['id', root.table.lock?.field ?? '', root.table.parent?.field ?? '', ...(dml.addedUp(table) ?? [])];
  // At once against all others: a write that names the record holds its lock until it is visible, or finds no record.
  const statements = [...parents, root.forUpdate(id, names, 'forDelete'), ...parents];
  const results = yield { statements, keepsTransactionOpen: true };
  const [[row] = [], ...owners] = results.slice(parents.length);
  if (!row) return { outcome: 'not_found', id };
  const { record, version } = root.lockedRow(row, names);
  if (versions && !versions.includes(version)) return { outcome: 'stale', version };
  const locked = rejectRecord(root, id, record) ?? rejectItems(dml, root, owners);
  if (locked) return locked;
  const ids: Ids = new Map([[table, [id]]]);
  const counts = new RowCounts();
  const deletion: Deletion = { dml, organization, origin, ids, counts, stale, others: 0 };
  const events = eventsOf(root, 'delete', id, version + 1, () => changesOf(record, undefined));
  yield { statements: [root.erase([id])], events, keepsTransactionOpen: true };
  const items = yield* deleteItems(deletion, ids);
  const { parent } = root.table;
  noteRemoved(deletion, root, [[id, parent ? record[parent.field] : '']], record);
  const rejection = yield* cascade(deletion);
  if (rejection) return rejection;
  const cleared = yield* findOthers(deletion);
  if ('outcome' in cleared) return cleared;
  if (isAlone && deletion.others + items > 0) return { outcome: 'stale', version };
  for (const { sql, rows, column } of cleared) {
    const { name, logic } = sql.table;
    if (dml.addedUp(name)?.has(column))
      stale?.addUnknown(
        sql,
        rows.map(([, owner]) => owner),
      );
    if (logic) for (const [other] of rows) stale?.add({ table: name, id: other as string, isChanged: true, items: [] });
  }
  yield {
    statements: cleared.flatMap((one) => clear(one, time)),
    counts: deletion.counts.drain(),
    events: clearedEvents(cleared, time),
  };
  return { outcome: 'deleted' };
}

/**
 * Notes that rows were deleted: counters of their table or parents change, and totals of these may.
 *
 * @param rows ids and parents
 * @param record that of the only row, if it is known
 */
function noteRemoved(
  { dml, counts, stale }: Deletion,
  sql: TableSql,
  rows: readonly Row[],
  record?: ShownRecord,
): void {
  const parents = rows.map(([, parent]) => parent as Value);
  for (const parent of parents) for (const change of changesBy(sql, parent, -1)) counts.add(change);
  if (!dml.addedUp(sql.table.name)) return;
  if (record) stale?.addParents(sql, record);
  else stale?.addUnknown(sql, parents);
}

/** Line items that are deleted at once: more would keep the database in one round for long. */
const itemsPerSlice = 5_000;

/** Statements that delete rows which are locked, and note it. */
const deletionOf = ({ origin }: Deletion, sql: TableSql, ids: readonly string[]): Statement[] => [
  ...noteDeleted(sql, origin, ids),
  sql.erase(ids),
];

/** Deletes the line items of records, in slices: what goes with its parent restricts nothing. @returns their number */
function* deleteItems(deletion: Deletion, ids: Ids): Steps<number> {
  const { dml, organization, counts } = deletion;
  let left = [...ids].flatMap(([table, parents]) =>
    dml.itemsOf(table).flatMap((name) => {
      const sql = dml.of(name, organization);
      for (const parent of parents) counts.add({ sql, parent, rows: -Infinity });
      return parents.map((parent) => ({ sql, parent, after: [] as Row }));
    }),
  );
  let statements: Statement[] = [];
  let deleted = 0;
  while (left.length > 0) {
    const locks = left.map(({ sql, parent, after }) => lockItems(sql, parent, after));
    const results = yield { statements: [...statements, ...locks], keepsTransactionOpen: true };
    const found = results.slice(statements.length);
    statements = left.flatMap(({ sql }, i) => {
      const items = (found[i] ?? []).map(([, id]) => id as string);
      deleted += items.length;
      return items.length > 0 ? deletionOf(deletion, sql, items) : [];
    });
    // Behind the last slice it begins again: an item may have got another place meanwhile.
    left = left.flatMap((one, i) => {
      const rows = found[i] ?? [];
      if (rows.length === 0 && one.after.length === 0) return [];
      return [{ ...one, after: rows.length === itemsPerSlice ? (rows.at(-1) as Row) : [] }];
    });
  }
  return deleted;
}

/** Locks line items of a parent, in their order; returns the place and id of each. @param after the last row before them */
export function lockItems(sql: TableSql, parent: string, after: readonly unknown[] = []): Statement {
  const values = [parent, itemsPerSlice, ...(after as readonly Value[])];
  return sql.statement(`lock items ${after.length}`, values, () => {
    const ofParent = sql.equals(sql.table.parent?.field ?? '', sql.param(1));
    const rest = after.length > 0 ? [`("idx", "id") > (${sql.param(3)}, ${sql.param(4)})`] : [];
    const rows = sql.organizationRows([ofParent, ...rest]);
    return `select "idx", "id" from ${rows} order by "idx", "id" limit ${sql.param(2)}${sql.dialect.lock.forDelete}`;
  });
}

/** Deletes the records whose references say `cascade`, those that reference them, and so on: a circle ends by itself. */
function* cascade(deletion: Deletion): Steps<WriteRejection | undefined> {
  const { dml, organization, ids: all } = deletion;
  const found = yield* findCascade(deletion);
  if ('outcome' in found) return found;
  const rejection = yield* rejectChanges(dml, found);
  if (rejection) return rejection;
  const ids: Ids = new Map(found.map(({ sql, rows }) => [sql.table.name, rows.map(([id]) => id as string)]));
  for (const { sql, rows } of found) noteRemoved(deletion, sql, rows);
  const statements = [...ids].flatMap(([table, some]) => deletionOf(deletion, dml.of(table, organization), some));
  if (statements.length > 0) yield { statements, keepsTransactionOpen: true };
  yield* deleteItems(deletion, ids);
  for (const [table, some] of ids) all.set(table, [...(all.get(table) ?? []), ...some]);
  return undefined;
}

/**
 * Finds the rows that a delete cascades to, and locks them. A write that had one of them meanwhile may have made it reference
 * another record, or one more record reference it: they are found again until all of them are locked.
 */
function* findCascade(deletion: Deletion): Steps<readonly Found[] | WriteRejection> {
  const { dml, organization } = deletion;
  const [[root, [id]]] = [...deletion.ids] as [[string, [string]]];
  const statement = selectCascade(dml, dml.of(root, organization), id);
  if (!statement) return [];
  const locked = new Map<string, Map<unknown, Row>>();
  for (;;) {
    const [rows = []] = yield { statements: [statement], keepsTransactionOpen: true };
    if (rows.length > maxCascade) return { outcome: 'cascade_too_large' };
    const ids = Map.groupBy(rows, ([table]) => table as string);
    const referring = [...ids].flatMap(([table, some]): Referring[] => {
      const fresh = some.flatMap(([, one]) => (locked.get(table)?.has(one) ? [] : [one as string]));
      const sql = dml.of(table, organization);
      return fresh.length > 0 ? [{ sql, column: 'id', onDelete: 'cascade', ids: fresh }] : [];
    });
    if (referring.length === 0) {
      deletion.others += rows.length;
      return [...ids].map(([table, some]) => ({
        sql: dml.of(table, organization),
        column: 'id',
        onDelete: 'cascade',
        ids: [],
        rows: some.flatMap(([, one]) => [locked.get(table)?.get(one) as Row]),
      }));
    }
    for (const { sql, rows: found } of yield* lockReferring(referring, maxCascade)) {
      const { name } = sql.table;
      const known = locked.getOrInsertComputed(name, () => new Map());
      for (const row of found) known.set(row[0], row);
    }
  }
}

/** Selects the table and the id of each row that the delete of a record cascades to; undefined if there can be none. */
function selectCascade(dml: Dml, sql: TableSql, id: string): Statement | undefined {
  const { table, dialect, organization } = sql;
  const targets = [table.name];
  const found: { readonly columns: string; readonly rows: string }[] = [];
  // A list goes on with what is added meanwhile.
  for (const target of targets) {
    for (const { table: name, column } of dml.referencesTo(target).filter(({ onDelete }) => onDelete === 'cascade')) {
      const referring = dml.of(name, organization);
      const conditions = [`${referring.sortable(column)} = "_id"`, `"_table" = ${literal(target)}`];
      found.push({ columns: `${literal(name)}, "id"`, rows: referring.organizationRows(conditions) });
      if (!targets.includes(name)) targets.push(name);
    }
  }
  if (found.length === 0) return undefined;
  return sql.statement('cascade', [id], () => {
    const first = dialect.values.sortable(sql.column('id'), `cast(${sql.param(1)} as text)`);
    const all = dialect.closure('_gone("_table", "_id")', `select ${literal(table.name)}, ${first}`, found);
    return `${all} select "_table", "_id" from _gone where "_id" <> ${sql.param(1)} limit ${maxCascade + 1}`;
  });
}

/** Finds the rows whose references to deleted records are to be null; rejects the delete if other ones restrict it. */
function* findOthers(deletion: Deletion): Steps<readonly Found[] | WriteRejection> {
  const restricting = referringTo(deletion, deletion.ids, 'restrict');
  const results =
    restricting.length === 0
      ? []
      : yield {
          statements: restricting.map((one) => selectReferring(one, maxNamed + 1)),
          keepsTransactionOpen: true,
        };
  const by = restricting.flatMap(({ sql, column }, i) => {
    const ids = (results[i] ?? []).map(([id]) => id as string);
    return ids.length === 0 ? [] : [{ resource: sql.table.path, field: column, ids }];
  });
  if (by.length > 0) return { outcome: 'still_referenced', by };
  return yield* findReferring(deletion, referringTo(deletion, deletion.ids, 'set_null'));
}

/** The rows that reference some records, by each column that can. */
const referringTo = ({ dml, organization }: Deletion, named: Ids, rule: Reference['onDelete']): Referring[] =>
  [...named].flatMap(([target, ids]) =>
    dml
      .referencesTo(target)
      .filter(({ onDelete }) => onDelete === rule)
      .map(({ table, column, onDelete }) => ({ sql: dml.of(table, organization), column, onDelete, ids })),
  );

/** Finds and locks rows that are to change with a delete; rejects it if these are too many, or one of them cannot change. */
function* findReferring(deletion: Deletion, all: readonly Referring[]): Steps<readonly Found[] | WriteRejection> {
  const found = yield* lockReferring(all, maxCascade - deletion.others + 1);
  deletion.others += new Set(found.flatMap(({ sql, rows }) => rows.map(([id]) => `${sql.table.name} ${id}`))).size;
  if (deletion.others > maxCascade) return { outcome: 'cascade_too_large' };
  return (yield* rejectChanges(deletion.dml, found)) ?? found;
}

/** Locks rows, so many of each kind at most. */
function* lockReferring(all: readonly Referring[], limit: number): Steps<readonly Found[]> {
  if (all.length === 0) return [];
  const statements = all.map((one) => selectReferring(one, limit, one.sql.dialect.lock.forDelete));
  const results = yield { statements, keepsTransactionOpen: true };
  return all.map((one, i) => ({ ...one, rows: results[i] ?? [] })).filter(({ rows }) => rows.length > 0);
}

/** Rejects a delete that would change or delete locked records, or line items of these. */
function* rejectChanges(dml: Dml, found: readonly Found[]): Steps<WriteRejection | undefined> {
  for (const { sql, column, onDelete, rows } of found) {
    if (onDelete === 'set_null' && sql.table.lock?.except?.includes(column)) continue;
    const statements = lockParents(
      dml,
      sql,
      rows.map(([id]) => id as string),
    );
    const owners = statements.length > 0 ? yield { statements, keepsTransactionOpen: true } : [];
    const states = rows.map((row) => [row[0], row[5]]);
    const rejection = rejectLocked(sql, states) ?? rejectItems(dml, sql, owners);
    if (rejection) return rejection;
  }
  return undefined;
}

/** Reads of each row the id, the parent, the version, the reference, the time of its last change, empty if it has none, and the state. */
const selectReferring = ({ sql, column, ids }: Referring, limit: number, lock = ''): Statement =>
  sql.statement(`referring ${column}${lock}`, [ids, limit], () => {
    const parent = sql.table.parent ? quote(sql.table.parent.field) : "''";
    const time = isTimed(sql) ? '"updated_at"' : "''";
    const rows = sql.organizationRows([sql.dialect.isIn(sql.column(column), sql.sortable(column), sql.param(1))]);
    const columns = ['"id"', parent, quote(versionColumn), quote(column), time, sql.state].join(', ');
    return `select ${columns} from ${rows} limit ${sql.param(2)}${lock}`;
  });

const isTimed = (sql: TableSql): boolean => sql.position('updated_at') !== -1;

/** Statements that set the references of rows to null. Each row keeps a time of its last change that is later. */
const clear = ({ sql, column, rows }: Found, time: string): Statement[] =>
  [...Map.groupBy(rows, ([, , , , last]) => laterTime(last, time))].map(([updatedAt, some]) => {
    const times = isTimed(sql) ? [updatedAt] : [];
    return sql.statement(`clear ${column}`, [some.map(([id]) => id as string), ...times], () => {
      const cleared = clearedColumns(sql.table, column).map((name) => `${quote(name)} = null`);
      const updated = isTimed(sql) ? [`"updated_at" = ${sql.param(2)}`] : [];
      const assignments = [...cleared, ...updated].join(', ');
      return sql.updateOf(assignments, [sql.dialect.isIn(sql.column('id'), '"id"', sql.param(1))]);
    });
  });

/** The events of references that are set to null: a row may have several. */
function clearedEvents(cleared: readonly Found[], time: string): NewEvent[] {
  const states = new Map<string, { readonly version: number; readonly updatedAt: string }>();
  return cleared.flatMap(({ sql, column, rows }) =>
    rows.flatMap(([id, , version, reference, last]) => {
      const key = `${sql.table.name} ${id as string}`;
      const former = states.get(key) ?? { version: Number(version), updatedAt: String(last) };
      const state = { version: former.version + 1, updatedAt: laterTime(former.updatedAt, time) };
      states.set(key, state);
      const shown = ({ updatedAt }: typeof state, value: Value): ShownRecord => ({
        [column]: value,
        ...(isTimed(sql) && { updated_at: updatedAt }),
      });
      return eventsOf(sql, 'update', id as string, state.version, () =>
        changesOf(shown(former, reference as string), shown(state, null)),
      );
    }),
  );
}
