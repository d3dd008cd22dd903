import type { Value } from '../model/fields.ts';
import { isCounted, parentColumns } from './schema.ts';
import type { Table } from '../model/table.ts';
import type { Dml, Statement, TableSql } from './table-sql.ts';
import { batchSteps } from './batch.ts';
import type { Count, Row, WritePlan, WriteSteps } from './steps.ts';
import { maxPageBytes, type OrganizationWrite, type Write, type WriteResult } from '../records/store.ts';

type WriteOf<Op extends Write['op']> = OrganizationWrite & { readonly op: Op };

interface WriteOperation<W extends OrganizationWrite> {
  readonly steps: (dml: Dml, write: W) => WriteSteps;
  /** See `changedBy`. */
  readonly changed: (dml: Dml, write: W) => readonly string[] | undefined;
  /** See `isCompound`. */
  readonly isCompound: (dml: Dml, write: W) => boolean;
  /** See `isLong`. */
  readonly isLong: (dml: Dml, write: W) => boolean;
  /** The values that it carries. */
  readonly values: (write: W) => readonly Value[];
}

/** Attempts of a write that finds no row to change, while the next statement finds no reason for that. */
const maxAttempts = 10;

/** Items of a reorder above which it may take long. */
const shortReorder = 20;

const never = (): boolean => false;
const nothing = (): readonly [] => [];
/** Bytes of a record above which a change of it takes long: all of them are written again. */
const shortRecord = 262_144;

const mayBeLong = (_: Dml, { maxBytes = 0 }: WriteOf<'update' | 'transition'>): boolean => maxBytes > shortRecord;
const itself = (_: Dml, { id }: { readonly id: string }): readonly string[] => [id];
const hasItems = (dml: Dml, { table }: Write): boolean => dml.hasItems(table);

const movesItem = (dml: Dml, { table, organization, set }: WriteOf<'update'>): boolean => {
  const { parent } = dml.of(table, organization).table;
  return parent !== undefined && set[parent.field] !== undefined;
};

/** The operations that write: the compiler requires a row for each. */
const operations: { readonly [Op in Write['op']]: WriteOperation<WriteOf<Op>> } = {
  insert: { steps: insert, changed: nothing, isCompound: never, isLong: never, values: ({ values }) => values },
  update: {
    steps: update,
    changed: itself,
    isCompound: movesItem,
    isLong: mayBeLong,
    values: ({ set }) => Object.values(set),
  },
  transition: { steps: transition, changed: itself, isCompound: never, isLong: mayBeLong, values: nothing },
  delete: {
    steps: remove,
    changed: (dml, write) => (hasItems(dml, write) ? undefined : [write.id]),
    isCompound: hasItems,
    isLong: hasItems,
    values: nothing,
  },
  reorder: {
    steps: reorder,
    changed: (_, { items }) => items.map(({ id }) => id),
    isCompound: never,
    isLong: (_, { items }) => items.length > shortReorder,
    values: ({ items }) => items.map(({ id }) => id),
  },
  batch: {
    steps: (dml, write) => batchSteps(dml, write, stepsOf),
    changed(dml, write) {
      const changed = partsOf(write).map((part) => changedBy(dml, part));
      return changed.includes(undefined) ? undefined : changed.flatMap((ids) => ids ?? []);
    },
    isCompound: () => true,
    // A reorder is followed by a page of the list.
    isLong: (dml, write) =>
      (write.maxBytes ?? 0) > maxPageBytes || partsOf(write).some((part) => part.op === 'reorder' || isLong(dml, part)),
    values: (write) => partsOf(write).flatMap((part) => operationOf(part).values(part)),
  },
};

const partsOf = ({ writes, organization }: WriteOf<'batch'>): readonly OrganizationWrite[] =>
  writes.map((write) => ({ ...write, organization }));

const operationOf = (write: OrganizationWrite): WriteOperation<OrganizationWrite> =>
  operations[write.op] as WriteOperation<OrganizationWrite>;

export function* stepsOf(dml: Dml, write: OrganizationWrite): WriteSteps {
  // No id contains U+0000, which PostgreSQL refuses.
  if ('id' in write && write.id.includes('\0')) return { outcome: 'not_found', id: write.id };
  return yield* operationOf(write).steps(dml, write);
}

/** The number of writes that a write consists of. */
export const countOf = (write: OrganizationWrite): number => (write.op === 'batch' ? write.writes.length : 1);

/** The ids of the records that a write changes or deletes; undefined if they are unknown. */
export const changedBy = (dml: Dml, write: OrganizationWrite): readonly string[] | undefined =>
  operationOf(write).changed(dml, write);

/** Whether several statements of a write change rows, so that a failure must undo those before it. */
export const isCompound = (dml: Dml, write: OrganizationWrite): boolean => operationOf(write).isCompound(dml, write);

/** Whether a write may take so long that other requests should not wait for it. */
export const isLong = (dml: Dml, write: OrganizationWrite): boolean => operationOf(write).isLong(dml, write);

/** The number of characters that a write consists of. */
export function lengthOf(write: OrganizationWrite): number {
  let length = 0;
  for (const value of operationOf(write).values(write)) if (typeof value === 'string') length += value.length;
  return length;
}

const single = (statement: Statement): { readonly statements: readonly [Statement] } => ({ statements: [statement] });

const count = (sql: TableSql, parent: Value, rows: number): Count[] =>
  sql.table.kind !== 'singleton' && isCounted(parent) ? [{ sql, parent, rows }] : [];

function* insert(dml: Dml, { table, organization, values }: WriteOf<'insert'>): WriteSteps {
  const sql = dml.of(table, organization);
  const { parent } = sql.table;
  const id = parent ? (values[sql.position(parent.field)] as Value) : '';
  const complete = parent ? yield* placeItem(dml, sql, values, id) : values;
  if ('outcome' in complete) return complete;
  const [rows] = yield { statements: [sql.insert(complete)], counts: count(sql, id, 1) };
  return { outcome: 'written', json: sql.dialect.insertedJson(sql.table, complete, rows?.[0] ?? []) };
}

/** Locks the parent of a line item until the item is visible, and gives it an `idx`. */
function* placeItem(
  dml: Dml,
  sql: TableSql,
  values: readonly Value[],
  id: Value,
): WritePlan<readonly Value[] | WriteResult> {
  const parentTable = sql.table.parent?.table;
  const index = sql.position('idx');
  const isAppended = values[index] === null;
  // The next insert under this parent waits for the lock, and then sees this item.
  const external = isAppended ? sql.dialect.lockExternalParent(sql, id) : undefined;
  const lock =
    parentTable === undefined
      ? external
      : dml.of(parentTable, sql.organization).lock(id, isAppended ? 'exclusive' : 'againstDelete');
  const statements = [...(lock ? [lock] : []), ...(isAppended ? [sql.lastIndex(values)] : [])];
  if (statements.length === 0) return values;
  const results = yield { statements, keepsTransactionOpen: true };
  if (parentTable !== undefined && results[0]?.length === 0) return { outcome: 'parent_missing' };
  if (!isAppended) return values;
  const last = Number(results.at(-1)?.[0]?.[0]);
  return last < Number.MAX_SAFE_INTEGER ? values.with(index, last + 1) : { outcome: 'idx_exhausted' };
}

function* update(dml: Dml, write: WriteOf<'update'>): WriteSteps {
  const { table, organization, id, set } = write;
  const sql = dml.of(table, organization);
  if (movesItem(dml, write)) return yield* moveItem(dml, write);
  const isEmpty = Object.keys(set).length === 0;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (!isEmpty) {
      const [rows] = yield single(sql.update(write));
      if (rows?.[0]) return written(rows[0]);
    }
    const [stored] = yield single(sql.compare(write));
    const failure = mismatch(write, stored?.[0]);
    if (failure) return failure;
    if (isEmpty) return written(stored?.[0]);
  }
  throw new Error(`The record ${id} cannot be updated, for no visible reason.`);
}

/** An update that sets the parent, and so may change two row counters. */
function* moveItem(dml: Dml, write: WriteOf<'update'>): WriteSteps {
  const { table, organization, set } = write;
  const sql = dml.of(table, organization);
  const { field, table: parentTable } = sql.table.parent as NonNullable<Table['parent']>;
  const parent = set[field] as Value;
  // Lock order: the parent before the item.
  const lock = parentTable === undefined ? [] : [dml.of(parentTable, organization).lock(parent, 'againstDelete')];
  const results = yield {
    statements: [...lock, sql.compare(write, sql.dialect.lock.exclusive)],
    keepsTransactionOpen: true,
  };
  const stored = results.at(-1)?.[0];
  const failure = mismatch(write, stored);
  if (failure) return failure;
  if (lock.length > 0 && results[0]?.length === 0) return { outcome: 'parent_missing' };
  const former = stored?.[1] as string | null;
  const moves = former === parent ? [] : [...count(sql, former, -1), ...count(sql, parent, 1)];
  // In one order, so that two moves cannot deadlock.
  const counts = moves.toSorted((a, b) => (a.parent < b.parent ? -1 : 1));
  const [rows] = yield { statements: [sql.update(write)], counts };
  return written(rows?.[0]);
}

function* transition(dml: Dml, write: WriteOf<'transition'>): WriteSteps {
  const { table, organization, id, from } = write;
  const sql = dml.of(table, organization);
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const [rows] = yield single(sql.transition(write));
    if (rows?.[0]) return written(rows[0]);
    const [stored] = yield single(sql.state(write));
    if (!stored?.[0]) return { outcome: 'not_found', id };
    const [state, bytes] = stored[0] as [string | null, unknown];
    if (state === null || !from.includes(state)) return { outcome: 'wrong_state', state };
    if (bytes !== null) return tooLong(bytes);
  }
  throw new Error(`The record ${id} cannot be moved to another state, for no visible reason.`);
}

function* remove(dml: Dml, { table, organization, id }: WriteOf<'delete'>): WriteSteps {
  const sql = dml.of(table, organization);
  // The record first: a concurrent insert of an item holds its lock until the item is visible, or finds no record.
  const [rows] = yield { statements: [sql.delete(id)], keepsTransactionOpen: true };
  const [row] = rows ?? [];
  if (!row) return { outcome: 'not_found', id };
  const items = dml.itemsOf(table, organization);
  const resets = items.map((item) => ({ sql: item, parent: id, rows: 0, isReset: true }));
  yield {
    statements: items.map((item) => item.deleteItems(id)),
    counts: [...resets, ...count(sql, row[0] as Value, -1)],
  };
  return { outcome: 'deleted' };
}

function* reorder(dml: Dml, { table, organization, items }: WriteOf<'reorder'>): WriteSteps {
  const sql = dml.of(table, organization);
  const positions = JSON.stringify(items);
  const [rows = []] = yield { statements: [sql.parentsOf(positions)], keepsTransactionOpen: true };
  const parents = new Map(rows.map(([id, ...parent]) => [id as string, parent as Value[]]));
  const missing = items.find(({ id }) => !parents.has(id));
  if (missing) return { outcome: 'not_found', id: missing.id };
  const first = parents.get(items[0]?.id ?? '') ?? [];
  const indices = items.flatMap(({ id }, i) => (first.every((value, j) => value === parents.get(id)?.[j]) ? [] : [i]));
  if (indices.length > 0) return { outcome: 'different_parent', indices };
  yield { statements: [sql.setPositions(positions)] };
  return {
    outcome: 'reordered',
    parent: Object.fromEntries(parentColumns(sql.table).map((name, i) => [name, first[i] ?? null])),
  };
}

function written(row: Row | undefined): WriteResult {
  if (!row) throw new Error('A write returned no record.');
  return { outcome: 'written', json: row[0] as string };
}

const tooLong = (bytes: unknown): WriteResult => ({ outcome: 'too_long', bytes: Number(bytes) });

/** The failure of an update, if the row that `compare` returned does not have the expected values, or is too long. */
function mismatch({ id, expected }: WriteOf<'update'>, row: Row | undefined): WriteResult | undefined {
  if (!row) return { outcome: 'not_found', id };
  const columns = Object.keys(expected).filter((_, i) => row[i + 3] === null);
  if (columns.length > 0) return { outcome: 'unexpected', columns };
  return row[2] === null ? undefined : tooLong(row[2]);
}
