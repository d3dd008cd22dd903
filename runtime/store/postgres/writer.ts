import type { Value } from '../../schema/fields.ts';
import type { Table } from '../../schema/table.ts';
import { isCounted, parentColumns, parentPrefix, quote, rowCounters } from '../ddl.ts';
import type { Write, WriteResult } from '../store.ts';
import type { Connection, Row, Statement, Values } from './connection.ts';
import { shards, type Statements } from './statements.ts';

const begin: Statement = { text: 'begin' };
const commit: Statement = { text: 'commit' };
const rollback: Statement = { text: 'rollback' };

type Call = readonly [statement: Statement, values?: Values];

/** So often a refused write is looked at again when the reason is gone before it could be named. */
const looks = 10;

const randomShard = (): number => Math.floor(Math.random() * shards);

/** Whether the items of a parent are counted, as `isCounted` says. */
const isShort = (parent: string): string => `length(${parent}) < ${parentPrefix}`;

const isTrue = (value: string | null | undefined): boolean => value === 't';

/**
 * Does the writes of a store, each as one statement where one is enough: it is a transaction by itself. What needs more
 * is sent as a whole, to be done in one round trip.
 */
export class Writer {
  readonly #of: (table: string) => Statements;

  constructor(of: (table: string) => Statements) {
    this.#of = of;
  }

  /** Does one write, or says why it cannot be done. After a failure nothing of it is done, unless that is not known. */
  run(connection: Connection, write: Write): Promise<WriteResult> {
    const statements = this.#of(write.table);
    switch (write.op) {
      case 'insert':
        return this.#insert(connection, statements, write.values);
      case 'update':
        return this.#update(connection, statements, write);
      case 'transition':
        return this.#transition(connection, statements, write);
      case 'delete':
        return this.#delete(connection, statements, write.id);
      case 'reorder':
        return this.#reorder(connection, statements, write.items);
    }
  }

  async #insert(connection: Connection, statements: Statements, values: readonly Value[]): Promise<WriteResult> {
    const { table } = statements;
    if (table.parent) return this.#insertItem(connection, statements, values);
    const shard = values.length + 1;
    const insert = statements.of('insert', () => {
      const places = table.columns.map((_, i) => `$${i + 1}`).join(', ');
      const inserted = `insert into ${statements.name} (${statements.columns}) values (${places})`;
      if (table.kind === 'singleton') return `${inserted} returning ${statements.rowJson}`;
      return (
        `with i as (${inserted} returning ${statements.columns}), ` +
        `c as (${statements.count("''", `$${shard}::bigint`, 1, 'from i')}) select row_to_json(i)::text from i`
      );
    });
    const [row] = await connection.query(insert, table.kind === 'singleton' ? values : [...values, randomShard()]);
    return written(row);
  }

  async #insertItem(connection: Connection, statements: Statements, values: readonly Value[]): Promise<WriteResult> {
    const { table } = statements;
    const { field, table: home } = table.parent as NonNullable<Table['parent']>;
    const place = (name: string): number => table.columns.findIndex((column) => column.name === name);
    const parent = values[place(field)] as Value;
    const parentAt = `$${place(field) + 1}`;
    const isLast = values[place('idx')] === null;
    const pair = parentColumns(table);
    const nulls = pair.map((column) => values[place(column)] === null);

    const insert = statements.of(`insert ${isLast} ${nulls.join()}`, () => {
      const places = table.columns.map(({ name, type }, i) =>
        isLast && name === 'idx' ? `coalesce($${i + 1}::${type}, last.idx + 1)` : `$${i + 1}::${type}`,
      );
      const isOf = pair.map((column, i) => {
        if (nulls[i]) return `${quote(column)} is null`;
        return column === field ? statements.isOf(parentAt) : `${quote(column)} = $${place(column) + 1}`;
      });
      const last =
        `(select coalesce(max("idx"), 0) as idx from ${statements.name} where ${isOf.join(' and ')}) last ` +
        `where last.idx < ${Number.MAX_SAFE_INTEGER}`;
      const parents = home === undefined ? '' : `select 1 from ${quote(home)} where "id" = ${parentAt}`;
      const from = isLast
        ? ` from ${last}${home === undefined ? '' : ` and exists (${parents})`}`
        : home === undefined
          ? ''
          : ' from p';
      // The lock makes a delete of the parent wait, and so see the new item.
      const locked = isLast || home === undefined ? '' : `p as (${parents} for key share), `;
      return (
        `with ${locked}i as (insert into ${statements.name} (${statements.columns}) select ${places.join(', ')}${from} ` +
        `returning ${statements.columns}), ` +
        `c as (${statements.count('i.parent', '0', 1, `from (select ${quote(field)} as parent from i) i where ${isShort('i.parent')}`)}) ` +
        'select row_to_json(i)::text from i'
      );
    });
    if (!isLast) {
      const [row] = await connection.query(insert, values);
      return row ? written(row) : { outcome: 'parent_missing' };
    }
    // The next writer of this parent waits for the lock, and its insert then sees this one.
    const lock: Call =
      home === undefined
        ? [
            statements.of(
              'lock of parent elsewhere',
              () =>
                `insert into ${quote(rowCounters)} values ($1, $2, $3, 0) on conflict ("table", "parent", "shard") ` +
                `do update set "count" = ${quote(rowCounters)}."count" returning 1`,
            ),
            // Items without a parent are counted nowhere, nor are those of a long one: their lock is a total that stays 0.
            [table.name, [...String(parent ?? '')].slice(0, parentPrefix).join(''), parent === null ? 1 : 0],
          ]
        : [this.#lockOf(home, 'no key update'), [parent]];
    const [locks, rows] = await transaction(connection, [lock, [insert, values]]);
    if (locks?.length === 0) return { outcome: 'parent_missing' };
    return rows?.[0] ? written(rows[0]) : { outcome: 'idx_exhausted' };
  }

  /** Locks a row, if it is there. */
  #lockOf(table: string, strength: 'key share' | 'no key update'): Statement {
    const statements = this.#of(table);
    return statements.of(`lock ${strength}`, () => `select 1 from ${statements.name} where "id" = $1 for ${strength}`);
  }

  async #update(connection: Connection, statements: Statements, write: Write & { op: 'update' }): Promise<WriteResult> {
    const { table } = statements;
    const { id, set, expected } = write;
    if (table.parent && set[table.parent.field] !== undefined) return this.#move(connection, statements, write);
    for (let look = 0; look < looks; look++) {
      if (Object.keys(set).length > 0) {
        const [row] = await connection.query(...this.#updateOf(statements, write));
        if (row) return written(row);
      }
      const [stored] = await connection.query(...this.#comparison(statements, id, expected));
      if (!stored) return { outcome: 'not_found', id };
      const columns = unexpected(expected, stored);
      if (columns.length > 0) return { outcome: 'unexpected', columns };
      if (Object.keys(set).length === 0) return { outcome: 'written', text: stored[0] as string };
    }
    throw new Error(`The record ${id} cannot be updated, and nothing says why.`);
  }

  /** An update that takes effect where the stored values are the expected ones. */
  #updateOf(statements: Statements, { id, set, expected, time }: Write & { op: 'update' }): Call {
    const names = Object.keys(set);
    const expectations = Object.keys(expected);
    const isTimed = statements.table.columns.some(({ name }) => name === 'updated_at');
    const update = statements.ofMany(`update ${names.join()} ${expectations.join()}`, () => {
      const assignments = names.map((column, i) => `${quote(column)} = $${i + 3}`);
      if (isTimed) {
        const unchanged = names.map((column, i) => `${quote(column)} is not distinct from $${i + 3}`).join(' and ');
        assignments.push(
          `"updated_at" = case when ${unchanged} then "updated_at" ` +
            `else greatest("updated_at" collate "C", $2::text) end`,
        );
      }
      const conditions = [
        '"id" = $1',
        // Names the time where nothing else does: a parameter must have a type.
        ...(isTimed ? [] : ['$2::text is not null']),
        ...expectations.map((column, i) => `${quote(column)} is not distinct from $${i + 3 + names.length}`),
      ];
      return (
        `update ${statements.name} set ${assignments.join(', ')} where ${conditions.join(' and ')} ` +
        `returning ${statements.rowJson}`
      );
    });
    return [update, [id, time, ...Object.values(set), ...Object.values(expected)]];
  }

  /** Reads a record, and whether each column holds the expected value. */
  #comparison(statements: Statements, id: string, expected: Readonly<Record<string, Value>>, lock = ''): Call {
    const names = Object.keys(expected);
    const parent = statements.table.parent ? quote(statements.table.parent.field) : 'null';
    const compare = statements.ofMany(`compare ${names.join()} ${lock}`, () => {
      const comparisons = names.map((column, i) => `, ${quote(column)} is not distinct from $${i + 2}`).join('');
      return `select ${statements.rowJson}, ${parent}${comparisons} from ${statements.name} where "id" = $1 ${lock}`;
    });
    return [compare, [id, ...Object.values(expected)]];
  }

  /** An update that names the parent: the item is counted where it is now. */
  async #move(connection: Connection, statements: Statements, write: Write & { op: 'update' }): Promise<WriteResult> {
    const { table } = statements;
    const { field, table: home } = table.parent as NonNullable<Table['parent']>;
    const { id, expected } = write;
    const parent = write.set[field] as Value;
    // The parent first, as everyone else does who locks both.
    const lock: Call[] = home === undefined ? [] : [[this.#lockOf(home, 'key share'), [parent]]];
    const answers = await pipeline(connection, [
      [begin],
      ...lock,
      this.#comparison(statements, id, expected, 'for update'),
    ]);
    const parents = home === undefined ? undefined : answers[1];
    const stored = answers.at(-1)?.[0];
    const columns = stored ? unexpected(expected, stored) : [];
    if (!stored || columns.length > 0 || parents?.length === 0) {
      await connection.query(rollback);
      if (!stored) return { outcome: 'not_found', id };
      return columns.length > 0 ? { outcome: 'unexpected', columns } : { outcome: 'parent_missing' };
    }
    const former = stored[1] as string | null;
    const changes = former === parent ? [] : [[former, -1] as const, [parent as string | null, 1] as const];
    const counts = changes
      .filter((change): change is readonly [string, 1 | -1] => isCounted(change[0]))
      // In one order, so that two moves never wait for each other.
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([of, rows]): Call => [
        statements.of(`count ${rows}`, () => statements.count('$1::text', '0', rows, '')),
        [of],
      ]);
    const [rows] = await pipeline(connection, [
      this.#updateOf(statements, write),
      ...counts,
      ...(former === null || former === parent ? [] : [this.#pruneOf(statements, former)]),
      [commit],
    ]);
    return written(rows?.[0]);
  }

  /** Parents that are kept elsewhere come and go without a word: their totals must not pile up. */
  #pruneOf(statements: Statements, parent: string): Call {
    const prune = statements.of(
      'prune',
      () => `delete from ${quote(rowCounters)} where ${statements.totalOf('$1')} and "count" = 0`,
    );
    return [prune, [parent]];
  }

  async #transition(
    connection: Connection,
    statements: Statements,
    { id, field, from, to, time }: Write & { op: 'transition' },
  ): Promise<WriteResult> {
    const column = quote(field);
    const move = statements.of(`transition ${field} ${from.length}`, () => {
      const states = from.map((_, i) => `$${i + 4}`).join(', ');
      return (
        `update ${statements.name} set ${column} = $2, "updated_at" = greatest("updated_at" collate "C", $3::text) ` +
        `where "id" = $1 and ${column} in (${states}) returning ${statements.rowJson}`
      );
    });
    const look = statements.of(`state ${field}`, () => `select ${column} from ${statements.name} where "id" = $1`);
    for (let n = 0; n < looks; n++) {
      const [row] = await connection.query(move, [id, to, time, ...from]);
      if (row) return written(row);
      const [stored] = await connection.query(look, [id]);
      if (!stored) return { outcome: 'not_found', id };
      const [state] = stored as [string | null];
      if (state === null || !from.includes(state)) return { outcome: 'wrong_state', state };
    }
    throw new Error(`The record ${id} cannot be moved to another state, and nothing says why.`);
  }

  async #delete(connection: Connection, statements: Statements, id: string): Promise<WriteResult> {
    const { table, children } = statements;
    if (table.parent) return this.#deleteItem(connection, statements, id);
    const one = statements.of('delete', () => {
      const count = `c as (${statements.count("''", '$2::bigint', -1, 'from d')})`;
      return `with d as (delete from ${statements.name} where "id" = $1 returning 1), ${count} select 1 from d`;
    });
    const values = [id, randomShard()];
    if (children.length === 0) {
      const rows = await connection.query(one, values);
      return rows.length > 0 ? { outcome: 'deleted' } : { outcome: 'not_found', id };
    }
    // The record first: an item that is being added to it has the lock until it is there, or finds the record gone.
    const [rows] = await transaction(connection, [
      [one, values],
      ...children.flatMap(({ name }): Call[] => {
        const child = this.#of(name);
        return [
          [child.of('delete of parent', () => `delete from ${child.name} where ${child.isOf('$1')}`), [id]],
          [child.of('total of parent', () => `delete from ${quote(rowCounters)} where ${child.totalOf('$1')}`), [id]],
        ];
      }),
    ]);
    return rows?.length ? { outcome: 'deleted' } : { outcome: 'not_found', id };
  }

  async #deleteItem(connection: Connection, statements: Statements, id: string): Promise<WriteResult> {
    const field = quote(statements.table.parent?.field ?? '');
    const one = statements.of('delete', () => {
      const count = statements.count('d.parent', '0', -1, `from d where ${isShort('d.parent')}`);
      return (
        `with d as (delete from ${statements.name} where "id" = $1 returning ${field} as parent), ` +
        `c as (${count} returning "count") select d.parent, c."count" from d left join c on true`
      );
    });
    const [row] = await connection.query(one, [id]);
    if (!row) return { outcome: 'not_found', id };
    const [parent, left] = row as [string | null, string | null];
    // The item is gone whatever comes of this: a failure of it must not answer the delete, nor have it done again.
    if (parent !== null && left === '0') {
      await connection.query(...this.#pruneOf(statements, parent)).catch(() => undefined);
    }
    return { outcome: 'deleted' };
  }

  async #reorder(
    connection: Connection,
    statements: Statements,
    items: readonly { readonly id: string; readonly idx: number }[],
  ): Promise<WriteResult> {
    const names = parentColumns(statements.table);
    // In one order, so that two of these never wait for each other.
    const lock = statements.of(
      'lock all',
      () =>
        `select "id", ${names.map(quote).join(', ')} from ${statements.name} where "id" = any($1::text[]) ` +
        'order by "id" for update',
    );
    const ids = items.map(({ id }) => id);
    const [, locked] = await pipeline(connection, [[begin], [lock, [ids]]]);
    const parents = new Map(locked?.map(([id, ...parent]) => [id, parent]));
    const missing = ids.find((id) => !parents.has(id));
    const first = parents.get(ids[0] as string);
    const places = ids.flatMap((id, i) => (first?.every((value, j) => value === parents.get(id)?.[j]) ? [] : [i]));
    if (missing !== undefined || places.length > 0) {
      await connection.query(rollback);
      return missing === undefined ? { outcome: 'different_parent', places } : { outcome: 'not_found', id: missing };
    }
    const set = statements.of(
      'place',
      () =>
        `update ${statements.name} t set "idx" = v.idx from unnest($1::text[], $2::bigint[]) as v (id, idx) ` +
        'where t."id" = v.id',
    );
    const wanted = new Map(items.map(({ id, idx }) => [id, idx]));
    await pipeline(connection, [[set, [[...wanted.keys()], [...wanted.values()]]], [commit]]);
    return {
      outcome: 'reordered',
      parent: Object.fromEntries(names.map((name, i) => [name, first?.[i] ?? null])),
    };
  }
}

function written(row: Row | undefined): WriteResult {
  if (!row) throw new Error('A write has given no record.');
  return { outcome: 'written', text: row[0] as string };
}

/** The columns that hold another value: what a comparison has found. */
const unexpected = (expected: Readonly<Record<string, Value>>, [, , ...equal]: Row): string[] =>
  Object.keys(expected).filter((_, i) => !isTrue(equal[i]));

/** Sends statements in one go. @throws the first failure, when all have been answered. */
async function pipeline(connection: Connection, calls: readonly Call[]): Promise<Row[][]> {
  const answers = await Promise.allSettled(calls.map(([statement, values]) => connection.query(statement, values)));
  return answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  });
}

/** A transaction whose statements are known beforehand: after a failure of one the server refuses the others. */
const transaction = async (connection: Connection, calls: readonly Call[]): Promise<Row[][]> =>
  (await pipeline(connection, [[begin], ...calls, [commit]])).slice(1, -1);
