import { maxCascade, maxNamed } from '../../kernel/model/limits.ts';
import type { Reference, Value } from '../../kernel/model/fields.ts';
import type { ShownRecord } from '../../kernel/model/table.ts';
import { isDone, type WriteRejection } from '../../kernel/records/write.ts';
import { changesOf, eventsOf, laterTime, update } from '../../kernel/sql/changes.ts';
import { deleteBelongings, erasing, noteErased, noteUncounted, readRecords } from '../../kernel/sql/deletes.ts';
import type { NewEvent, Row, Statement, Steps } from '../../kernel/sql/types.ts';
import { literal, quote, versionColumn } from '../../kernel/sql/schema.ts';
import { within } from '../../kernel/sql/steps.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { Dml } from '../../kernel/sql/dml.ts';
import { closure } from './closure.ts';
import { lockParents, rejectItems } from '../line-items/parent-locks.ts';
import { rejectLocked } from '../states/locked.ts';
import { clearedColumns } from '../unique/columns.ts';
import type { Deletion, Ids, WritePart } from '../../kernel/sql/write-part.ts';

/** Updates of records whose statements are sent together. */
const updatesAtOnce = 100;

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

/** A delete deletes the records that name the deleted ones, or sets their references to null, or is rejected. */
export const namingRecords: WritePart = {
  *removed(deletion) {
    const { dml, write, stale } = deletion;
    const rejection = yield* cascade(deletion);
    if (rejection) return rejection;
    const cleared = yield* findOthers(deletion);
    if ('outcome' in cleared) return cleared;
    // A row may name deleted records by several columns.
    const nulls = new Map<string, ShownRecord>();
    const plain = cleared.filter(({ sql }) => dml.setByChanges(sql.table).length === 0);
    const stamped = cleared.filter((one) => !plain.includes(one));
    for (const some of Map.groupBy(stamped, ({ sql }) => sql.table).values()) {
      const rejected = yield* clearEach(deletion, some);
      if (rejected) return rejected;
    }
    for (const { sql, rows, column } of plain) {
      const { name, logic } = sql.table;
      const owners = dml.changedOwners(sql.table, [column]);
      const ids = rows.map(([id]) => id as string);
      for (const record of yield* readRecords(sql, ids, owners)) {
        const key = `${name} ${String(record['id'])}`;
        const before = { ...record, ...nulls.get(key) };
        nulls.set(key, { ...nulls.get(key), [column]: null });
        stale?.addOwners(name, owners, before, { ...before, [column]: null });
      }
      if (logic) for (const [id] of rows) stale?.add({ table: name, id: id as string, isChanged: true, items: [] });
    }
    const statements = plain.flatMap((one) => clear(one, write.time));
    if (statements.length > 0)
      yield { statements, events: clearedEvents(plain, write.time), keepsTransactionOpen: true };
    return undefined;
  },
};

/** Deletes the records whose references say `cascade`, those that reference them, and so on: a circle ends by itself. */
function* cascade(deletion: Deletion): Steps<WriteRejection | undefined> {
  const found = yield* findCascade(deletion);
  if ('outcome' in found) return found;
  const rejection = yield* rejectChanges(deletion.dml, found);
  if (rejection) return rejection;
  yield* deleteOthers(deletion, new Map(found.map(({ sql, rows }) => [sql, rows])));
  return undefined;
}

/**
 * Finds the rows that a delete cascades to, and locks them. A write that had one of them meanwhile may have made it reference
 * another record, or one more record reference it: they are found again until all of them are locked.
 */
function* findCascade(deletion: Deletion): Steps<readonly Found[] | WriteRejection> {
  const { dml, write } = deletion;
  const { table: root, organization, id } = write;
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
    const all = closure(dialect.engine, '_gone("_table", "_id")', `select ${literal(table.name)}, ${first}`, found);
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
const referringTo = ({ dml, write }: Deletion, named: Ids, rule: Reference['onDelete']): Referring[] =>
  [...named].flatMap(([target, ids]) =>
    dml
      .referencesTo(target)
      .filter(({ onDelete }) => onDelete === rule)
      .map(({ table, column, onDelete }) => ({ sql: dml.of(table, write.organization), column, onDelete, ids })),
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
  for (const { sql, column, rows } of found) {
    const statements = lockParents(
      dml,
      sql,
      rows.map(([id]) => id as string),
    );
    const owners = statements.length > 0 ? yield { statements, keepsTransactionOpen: true } : [];
    const states = rows.map((row) => [row[0], ...row.slice(5)]);
    const locks = sql.table.locks?.filter(({ except }) => !except?.includes(column));
    const rejection = rejectLocked(sql, states, locks) ?? rejectItems(dml, sql, owners);
    if (rejection) return rejection;
  }
  return undefined;
}

/** Reads of each row the id, the parent, the version, the reference, the time of its last change, empty if it has none, and the states. */
const selectReferring = ({ sql, column, ids }: Referring, limit: number, lock = ''): Statement =>
  sql.statement(`referring ${column}${lock}`, [ids, limit], () => {
    const parent = sql.table.parent ? quote(sql.table.parent.field) : "''";
    const time = isTimed(sql) ? '"updated_at"' : "''";
    const rows = sql.organizationRows([sql.dialect.isIn(sql.column(column), sql.sortable(column), sql.param(1))]);
    const columns = ['"id"', parent, quote(versionColumn), quote(column), time, sql.states].join(', ');
    return `select ${columns} from ${rows} limit ${sql.param(2)}${lock}`;
  });

const isTimed = (sql: TableSql): boolean => sql.position('updated_at') !== -1;

/** Changes the records of a table that each change sets other fields of: each once, though several columns may become null. */
function* clearEach(
  { dml, write, counts, stale }: Deletion,
  found: readonly Found[],
): Steps<WriteRejection | undefined> {
  const { organization, origin, time } = write;
  const nulls = new Map<string, Record<string, null>>();
  for (const { column, rows } of found) {
    for (const [id] of rows) nulls.getOrInsertComputed(id as string, () => ({}))[column] = null;
  }
  const table = found[0]?.sql.table.name as string;
  const change = { op: 'update', table, organization, origin, expected: {}, time } as const;
  const sets = [...nulls];
  for (let at = 0; at < sets.length; at += updatesAtOnce) {
    const updates = sets
      .slice(at, at + updatesAtOnce)
      .map(([id, set]) => update(dml, { ...change, id, set }, stale, { isNamed: false }));
    const rejected = (yield* within(counts, updates)).find((result) => !isDone(result));
    if (rejected) return rejected as WriteRejection;
  }
  return undefined;
}

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

/** Deletes records beside the first one, and what belongs to them. @param rows their ids and parents, by table; they are locked */
function* deleteOthers(deletion: Deletion, rows: ReadonlyMap<TableSql, readonly Row[]>): Steps<void> {
  const ids: Ids = new Map();
  for (const [sql, some] of rows) {
    const gone = some.map(([id]) => id as string);
    noteUncounted(
      deletion,
      sql,
      some.map(([, parent]) => parent as Value),
    );
    yield* noteErased(deletion, sql, gone);
    ids.set(sql.table.name, gone);
  }
  const statements = [...rows.keys()].flatMap((sql) => erasing(deletion, sql, ids.get(sql.table.name) ?? []));
  if (statements.length > 0) yield { statements, keepsTransactionOpen: true };
  yield* deleteBelongings(deletion, ids);
  for (const [table, some] of ids) deletion.ids.set(table, [...(deletion.ids.get(table) ?? []), ...some]);
}
