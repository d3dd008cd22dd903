import type { Value } from '../schema/fields.ts';
import { isCounted, parentColumns } from './ddl.ts';
import type { Table } from '../schema/table.ts';
import type { Dml, Statement } from './dml.ts';
import type { Write, WriteResult } from './store.ts';

/** A row as an engine returns it: PostgreSQL's values are strings. */
export type Row = readonly unknown[];

/** Statements that are sent together. The last round of several, and one of more than one statement, ends a transaction. */
export interface Round {
  readonly statements: readonly Statement[];
  /** The transaction stays open for the next round. Where the write ends instead, nothing of it is done. */
  readonly continues?: true;
  /** Tidies up behind a write that is done: a failure of it must not answer the write, nor have it done again. */
  readonly isCleanup?: true;
}

/**
 * A write, as the rounds of statements that do it. It gets the rows of each statement of a round back. An engine runs it to
 * its end, at once or with a round trip for each round.
 */
export type WriteSteps = Generator<Round, WriteResult, readonly (readonly Row[])[]>;

type WriteOf<Op extends Write['op']> = Write & { readonly op: Op };

/** What an engine must know of an operation that writes. */
interface WriteOperation<W extends Write> {
  readonly steps: (dml: Dml, write: W) => WriteSteps;
  /** The records that are no longer what they were, by their ids; undefined where they cannot be told. */
  readonly changed: (dml: Dml, write: W) => readonly string[] | undefined;
  /** Whether several statements of it change something. */
  readonly isCompound: (dml: Dml, write: W) => boolean;
  /** Whether it may take long. */
  readonly isLong: (dml: Dml, write: W) => boolean;
  /** The values that it stores. */
  readonly values: (write: W) => readonly Value[];
}

/** Attempts of a write whose reason to fail is gone before it could be named. */
const maxAttempts = 10;

/** Items of a reorder that may hold up other requests. */
const shortReorder = 20;

const never = (): boolean => false;
const nothing = (): readonly [] => [];
const hasItems = (dml: Dml, { table }: Write): boolean => dml.itemsOf(table).length > 0;

const movesItem = (dml: Dml, { table, set }: WriteOf<'update'>): boolean => {
  const { parent } = dml.of(table).table;
  return parent !== undefined && set[parent.field] !== undefined;
};

/** The operations that write. A new one does not compile until it has a row here. */
const operations: { readonly [Op in Write['op']]: WriteOperation<WriteOf<Op>> } = {
  insert: { steps: insert, changed: nothing, isCompound: never, isLong: never, values: ({ values }) => values },
  update: {
    steps: update,
    changed: (_, { id }) => [id],
    isCompound: movesItem,
    isLong: never,
    values: ({ set }) => Object.values(set),
  },
  transition: { steps: transition, changed: (_, { id }) => [id], isCompound: never, isLong: never, values: nothing },
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
    isCompound: () => true,
    isLong: (_, { items }) => items.length > shortReorder,
    values: nothing,
  },
};

const operationOf = (write: Write): WriteOperation<Write> => operations[write.op] as WriteOperation<Write>;

export const stepsOf = (dml: Dml, write: Write): WriteSteps => operationOf(write).steps(dml, write);

/** The ids of the records that a write changes or removes; undefined where they cannot be told. */
export const changedBy = (dml: Dml, write: Write): readonly string[] | undefined =>
  operationOf(write).changed(dml, write);

/** Whether several statements of a write change something: one that fails must be undone as a whole. */
export const isCompound = (dml: Dml, write: Write): boolean => operationOf(write).isCompound(dml, write);

/** Whether a write may take long. */
export const isLong = (dml: Dml, write: Write): boolean => operationOf(write).isLong(dml, write);

/** The characters of the strings that a write stores. */
export function lengthOf(write: Write): number {
  let length = 0;
  for (const value of operationOf(write).values(write)) if (typeof value === 'string') length += value.length;
  return length;
}

const alone = (statement: Statement): Round => ({ statements: [statement] });

function* insert(dml: Dml, { table, values }: WriteOf<'insert'>): WriteSteps {
  const sql = dml.of(table);
  const { parent } = sql.table;
  if (!parent) {
    const [rows] = yield alone(sql.insert(values));
    return written(rows?.[0]);
  }
  const parentId = values[sql.position(parent.field)] as Value;
  if (values[sql.position('idx')] !== null) {
    const [rows] = yield alone(sql.insertItem(values));
    return rows?.[0] ? written(rows[0]) : { outcome: 'parent_missing' };
  }
  // The next writer of this parent waits for the lock, and its insert then sees this one.
  const lock =
    parent.table === undefined
      ? sql.dialect.lockForeignParent(sql.table, parentId)
      : dml.of(parent.table).lock(parentId, 'exclusive');
  const results = yield { statements: [...(lock ? [lock] : []), sql.insertItem(values)] };
  const row = results.at(-1)?.[0];
  if (row) return written(row);
  return results[0]?.length === 0 && parent.table !== undefined
    ? { outcome: 'parent_missing' }
    : { outcome: 'idx_exhausted' };
}

function* update(dml: Dml, write: WriteOf<'update'>): WriteSteps {
  const sql = dml.of(write.table);
  const { id, set, expected, time } = write;
  if (movesItem(dml, write)) return yield* moveItem(dml, write);
  const isEmpty = Object.keys(set).length === 0;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (!isEmpty) {
      const [rows] = yield alone(sql.update(id, set, expected, time));
      if (rows?.[0]) return written(rows[0]);
    }
    const [stored] = yield alone(sql.compare(id, expected));
    const refusal = mismatch(id, expected, stored?.[0]);
    if (refusal) return refusal;
    if (isEmpty) return written(stored?.[0]);
  }
  throw new Error(`The record ${id} cannot be updated, and nothing says why.`);
}

/** An update that names the parent: the item is counted where it is now. */
function* moveItem(dml: Dml, { table, id, set, expected, time }: WriteOf<'update'>): WriteSteps {
  const sql = dml.of(table);
  const { field, table: home } = sql.table.parent as NonNullable<Table['parent']>;
  const parent = set[field] as Value;
  // The parent first, as everyone else does who locks both.
  const lock = home === undefined ? [] : [dml.of(home).lock(parent, 'againstDelete')];
  const found = yield { statements: [...lock, sql.compare(id, expected, sql.dialect.lock.exclusive)], continues: true };
  const stored = found.at(-1)?.[0];
  const refusal = mismatch(id, expected, stored);
  if (refusal) return refusal;
  if (lock.length > 0 && found[0]?.length === 0) return { outcome: 'parent_missing' };
  const former = stored?.[1] as string | null;
  const counts = [
    { of: former, rows: -1 as const },
    { of: parent, rows: 1 as const },
  ]
    .filter(({ of }) => former !== parent && isCounted(of))
    // In one order, so that two moves never wait for each other.
    .toSorted((a, b) => (String(a.of) < String(b.of) ? -1 : 1))
    .map(({ of, rows }) => sql.addToCounter(of as string, rows));
  const prune = former === null || former === parent ? [] : [sql.deleteCounter(former, true)];
  const [rows] = yield { statements: [sql.update(id, set, expected, time), ...counts, ...prune] };
  return written(rows?.[0]);
}

function* transition(dml: Dml, { table, id, field, from, to, time }: WriteOf<'transition'>): WriteSteps {
  const sql = dml.of(table);
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const [rows] = yield alone(sql.transition(id, field, from, to, time));
    if (rows?.[0]) return written(rows[0]);
    const [found] = yield alone(sql.column(id, field));
    if (!found?.[0]) return { outcome: 'not_found', id };
    const [state] = found[0] as [string | null];
    if (state === null || !from.includes(state)) return { outcome: 'wrong_state', state };
  }
  throw new Error(`The record ${id} cannot be moved to another state, and nothing says why.`);
}

function* remove(dml: Dml, { table, id }: WriteOf<'delete'>): WriteSteps {
  const sql = dml.of(table);
  // The record first: an item that is being added to it has the lock until it is there, or finds the record gone.
  const [rows] = yield {
    statements: [
      sql.delete(id),
      ...dml.itemsOf(table).flatMap((items) => [items.deleteItems(id), items.deleteCounter(id)]),
    ],
  };
  const [row] = rows ?? [];
  if (!row) return { outcome: 'not_found', id };
  const [, parent, left] = row;
  // Parents that are kept elsewhere come and go without a word: their counters must not pile up.
  if (typeof parent === 'string' && left === '0') {
    yield { statements: [sql.deleteCounter(parent, true)], isCleanup: true };
  }
  return { outcome: 'deleted' };
}

function* reorder(dml: Dml, { table, items }: WriteOf<'reorder'>): WriteSteps {
  const sql = dml.of(table);
  const positions = JSON.stringify(items);
  const [found = []] = yield { statements: [sql.parentsOf(positions)], continues: true };
  const parents = new Map(found.map(([id, ...parent]) => [id as string, parent as Value[]]));
  const missing = items.find(({ id }) => !parents.has(id));
  if (missing) return { outcome: 'not_found', id: missing.id };
  const first = parents.get(items[0]?.id ?? '') ?? [];
  const places = items.flatMap(({ id }, i) => (first.every((value, j) => value === parents.get(id)?.[j]) ? [] : [i]));
  if (places.length > 0) return { outcome: 'different_parent', places };
  yield { statements: [sql.setPositions(positions)] };
  return {
    outcome: 'reordered',
    parent: Object.fromEntries(parentColumns(sql.table).map((name, i) => [name, first[i] ?? null])),
  };
}

function written(row: Row | undefined): WriteResult {
  if (!row) throw new Error('A write has returned no record.');
  return { outcome: 'written', text: row[0] as string };
}

/** Why a record does not meet the expectations, of the row that a comparison has found. */
function mismatch(
  id: string,
  expected: Readonly<Record<string, Value>>,
  row: Row | undefined,
): WriteResult | undefined {
  if (!row) return { outcome: 'not_found', id };
  const columns = Object.keys(expected).filter((_, i) => row[i + 2] === null);
  return columns.length > 0 ? { outcome: 'unexpected', columns } : undefined;
}
