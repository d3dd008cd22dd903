import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { StartError, unavailable } from '../errors.ts';
import { birth } from '../ids.ts';
import type { Value } from '../schema/fields.ts';
import type { Table } from '../schema/table.ts';
import { planSchema } from './schema-plan.ts';
import { parentColumns, quote, totals } from './sql.ts';
import { type Listing, longPage, type Page, type Store, type Write, type WriteResult } from './store.ts';

// 'BRec': marks the file as ours. The format says how the rest of the file is to be read.
const applicationId = 0x42526563;
const format = 1;

// Node's SQLite has no booleans: 0 and 1 go in and come out.
const bind = (value: Value): SQLInputValue => (typeof value === 'boolean' ? Number(value) : value);

/** The expression that builds a record's JSON text. */
function recordJson(table: Table): string {
  const pairs = table.columns.map(({ name, type }) => {
    const value = quote(name);
    const json = type === 'boolean' ? `case ${value} when 1 then json('true') when 0 then json('false') end` : value;
    return `'${name}', ${json}`;
  });
  return `json_object(${pairs.join(', ')})`;
}

/** The statements of one table, prepared when first used. */
class Statements {
  readonly table: Table;
  readonly children: readonly Table[];
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();
  readonly #json: string;

  constructor(database: DatabaseSync, table: Table, children: readonly Table[]) {
    this.#database = database;
    this.table = table;
    this.children = children;
    this.#json = recordJson(table);
  }

  /** A prepared statement whose rows come as arrays; `sql` gets the quoted table and the JSON of a record. */
  prepare(key: string, sql: (table: string, json: string) => string): StatementSync {
    let statement = this.#prepared.get(key);
    if (!statement) {
      // Updates of many different sets of fields must not fill the memory with statements.
      if (this.#prepared.size >= 200) this.#prepared.delete(this.#prepared.keys().next().value as string);
      statement = this.#database.prepare(sql(quote(this.table.name), this.#json));
      statement.setReturnArrays(true);
      this.#prepared.set(key, statement);
    }
    return statement;
  }

  /** The first column of the first row. */
  one(key: string, sql: (table: string, json: string) => string, ...values: Value[]): unknown {
    const row = this.prepare(key, sql).get(...values.map(bind)) as unknown as unknown[] | undefined;
    return row?.[0];
  }

  get(id: string): string | undefined {
    return this.one('get', (table, json) => `select ${json} from ${table} where "id" = ?`, id) as string | undefined;
  }
}

interface Waiting {
  readonly write: Write;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A store in one SQLite file.
 *
 * Reads run at once. Writes that arrive together share one transaction and are answered when it is on the disk
 * (journal_mode=WAL, synchronous=FULL): one fsync for all of them.
 */
class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  readonly #statements: ReadonlyMap<string, Statements>;
  #waiting: Waiting[] = [];
  #ready = true;

  constructor(database: DatabaseSync, tables: readonly Table[]) {
    this.#database = database;
    this.#statements = new Map(
      tables.map((table) => {
        const children = tables.filter(({ parent }) => parent?.table === table.name);
        return [table.name, new Statements(database, table, children)];
      }),
    );
  }

  async get(table: string, id: string): Promise<string | undefined> {
    return this.#read(() => this.#of(table).get(id));
  }

  async only(table: string): Promise<string> {
    return this.#read(
      () => this.#of(table).one('only', (name, json) => `select ${json} from ${name} order by "id" limit 1`) as string,
    );
  }

  async list(table: string, page: Page): Promise<Listing> {
    return this.#read(() => this.#list(this.#of(table), page));
  }

  write(write: Write): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      // After the requests that have arrived by now, so that their writes join this one.
      if (this.#waiting.length === 1) setImmediate(() => this.#commitWaiting());
    });
  }

  async check(): Promise<void> {
    this.#read(() => this.#database.prepare('select 1').get());
  }

  async close(): Promise<void> {
    if (!this.#ready) return;
    this.#commitWaiting();
    this.#ready = false;
    this.#database.close();
  }

  #of(table: string): Statements {
    const statements = this.#statements.get(table);
    if (!statements) throw new Error(`The store was opened without a table "${table}".`);
    return statements;
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  #list(statements: Statements, { limit, offset, where }: Page): Listing {
    const columns = Object.keys(where ?? {});
    const filter = columns.length === 0 ? '' : ` where ${columns.map((name) => `${quote(name)} is ?`).join(' and ')}`;
    const order = statements.table.kind === 'line-item' ? '"idx", "id"' : '"id" desc';
    const key = columns.join();
    const filters = Object.values(where ?? {}).map(bind);

    const total =
      statements.table.kind === 'record'
        ? statements.one(`total`, () => `select "count" from "${totals}" where "table" = ?`, statements.table.name)
        : statements.one(
            `total ${key}`,
            (table) => `select count(*) from ${table}${filter}`,
            ...Object.values(where ?? {}),
          );

    const rows = statements.prepare(
      `list ${key}`,
      (table, json) => `select ${json} from ${table}${filter} order by ${order} limit ? offset ?`,
    );
    let items = '';
    let count = 0;
    for (const [text] of rows.iterate(...filters, limit, offset) as unknown as Iterable<[string]>) {
      items += count === 0 ? text : `,${text}`;
      count++;
      if (items.length > longPage && count < limit) break;
    }
    if (items.length <= longPage || count === limit) return { total: Number(total), count, items };

    const rest = statements
      .prepare(`ids ${key}`, (table) => `select "id" from ${table}${filter} order by ${order} limit ? offset ?`)
      .all(...filters, limit - count, offset + count) as unknown as [string][];
    return { total: Number(total), count: count + rest.length, items: this.#pieces(statements, items, rest) };
  }

  /** The records of a long page, each read when it is asked for; one deleted in the meantime is left out. */
  *#pieces(statements: Statements, first: string, rest: readonly [string][]): Generator<string> {
    yield first;
    first = '';
    for (const [id] of rest) {
      const text = this.#read(() => statements.get(id));
      if (text === undefined) continue;
      yield ',';
      yield text;
    }
  }

  #commitWaiting(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 0) return;
    const results: (WriteResult | { error: unknown })[] = [];
    try {
      this.#database.exec('begin immediate');
      const added = new Map<string, number>();
      for (const { write } of batch) results.push(this.#apply(write, added));
      for (const [table, rows] of added) {
        const statements = this.#of(table);
        statements.one('count', () => `update "${totals}" set "count" = "count" + ? where "table" = ?`, rows, table);
      }
      this.#database.exec('commit');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('rollback');
      for (const { reject } of batch) reject(asUnavailable(error));
      return;
    }
    batch.forEach(({ resolve, reject }, place) => {
      const result = results[place] as WriteResult | { error: unknown };
      if ('error' in result) reject(asUnavailable(result.error));
      else resolve(result);
    });
  }

  /** Does one write of a batch. One that fails leaves nothing behind and does not harm the others. */
  #apply(write: Write, added: Map<string, number>): WriteResult | { error: unknown } {
    const statements = this.#of(write.table);
    // SQLite undoes a failed statement by itself; only what takes several needs a savepoint.
    const several = write.op === 'reorder' || (write.op === 'delete' && statements.children.length > 0);
    if (several) this.#database.exec('savepoint one');
    try {
      const result = this.#run(statements, write);
      if (several) this.#database.exec('release one');
      const rows = write.op === 'insert' ? 1 : -1;
      if (statements.table.kind === 'record' && (result.outcome === 'deleted' || write.op === 'insert')) {
        added.set(write.table, (added.get(write.table) ?? 0) + rows);
      }
      return result;
    } catch (error) {
      // A full disk or a failing one ends the whole transaction: then all of the batch fails.
      if (!this.#database.isTransaction) throw error;
      if (several) this.#database.exec('rollback to one; release one');
      return { error };
    }
  }

  #run(statements: Statements, write: Write): WriteResult {
    switch (write.op) {
      case 'insert':
        return this.#insert(statements, write);
      case 'update':
        return this.#update(statements, write);
      case 'transition':
        return this.#transition(statements, write);
      case 'delete':
        return this.#delete(statements, write);
      case 'reorder':
        return this.#reorder(statements, write);
    }
  }

  #insert(statements: Statements, { values }: Write & { op: 'insert' }): WriteResult {
    const { table } = statements;
    let row = values;
    if (table.parent) {
      const place = (name: string): number => table.columns.findIndex((column) => column.name === name);
      if (this.#parentMissing(table, values[place(table.parent.field)] as Value)) return { outcome: 'parent_missing' };
      if (values[place('idx')] === null) {
        const names = parentColumns(table);
        const last = statements.one(
          'last',
          (name) =>
            `select max("idx") from ${name} where ${names.map((column) => `${quote(column)} is ?`).join(' and ')}`,
          ...names.map((column) => values[place(column)] as Value),
        ) as number | null;
        if (last === Number.MAX_SAFE_INTEGER) return { outcome: 'idx_exhausted' };
        row = values.with(place('idx'), (last ?? 0) + 1);
      }
    }
    const text = statements.one(
      'insert',
      (name, json) =>
        `insert into ${name} (${table.columns.map((column) => quote(column.name)).join(', ')}) ` +
        `values (${table.columns.map(() => '?').join(', ')}) returning ${json}`,
      ...row,
    );
    return { outcome: 'written', text: text as string };
  }

  #update(statements: Statements, { id, set, expected, time }: Write & { op: 'update' }): WriteResult {
    const { table } = statements;
    const expectations = Object.entries(expected);
    if (expectations.length > 0) {
      const row = statements
        .prepare(
          `stored ${Object.keys(expected).join()}`,
          (name) => `select ${expectations.map(([column]) => quote(column)).join(', ')} from ${name} where "id" = ?`,
        )
        .get(id) as unknown as Value[] | undefined;
      if (!row) return { outcome: 'not_found', id };
      const columns = expectations.filter(([, value], i) => bind(value) !== row[i]).map(([column]) => column);
      if (columns.length > 0) return { outcome: 'unexpected', columns };
    }
    const names = Object.keys(set);
    if (names.length === 0) {
      const text = statements.get(id);
      return text === undefined ? { outcome: 'not_found', id } : { outcome: 'written', text };
    }
    const parent = table.parent && set[table.parent.field];
    if (parent !== undefined && this.#parentMissing(table, parent)) {
      return statements.get(id) === undefined ? { outcome: 'not_found', id } : { outcome: 'parent_missing' };
    }
    const values = Object.values(set);
    const timed = table.columns.some(({ name }) => name === 'updated_at');
    const text = statements.one(
      `update ${names.join()}`,
      (name, json) => {
        const unchanged = names.map((column) => `${quote(column)} is ?`).join(' and ');
        const assignments = names.map((column) => `${quote(column)} = ?`);
        if (timed) {
          assignments.push(`"updated_at" = case when ${unchanged} then "updated_at" else max("updated_at", ?) end`);
        }
        return `update ${name} set ${assignments.join(', ')} where "id" = ? returning ${json}`;
      },
      ...values,
      ...(timed ? [...values, time] : []),
      id,
    ) as string | undefined;
    return text === undefined ? { outcome: 'not_found', id } : { outcome: 'written', text };
  }

  #transition(statements: Statements, { id, field, from, to, time }: Write & { op: 'transition' }): WriteResult {
    const column = quote(field);
    const text = statements.one(
      `transition ${field} ${from.length}`,
      (name, json) =>
        `update ${name} set ${column} = ?, "updated_at" = max("updated_at", ?) ` +
        `where "id" = ? and ${column} in (${from.map(() => '?').join(', ')}) returning ${json}`,
      to,
      time,
      id,
      ...from,
    ) as string | undefined;
    if (text !== undefined) return { outcome: 'written', text };
    const state = statements.one(`state ${field}`, (name) => `select ${column} from ${name} where "id" = ?`, id);
    return state === undefined ? { outcome: 'not_found', id } : { outcome: 'wrong_state', state: state as Value };
  }

  #delete(statements: Statements, { id }: Write & { op: 'delete' }): WriteResult {
    for (const child of statements.children) {
      const field = quote(child.parent?.field ?? '');
      this.#of(child.name)
        .prepare('delete of parent', (name) => `delete from ${name} where ${field} = ?`)
        .run(id);
    }
    const deleted = statements.prepare('delete', (name) => `delete from ${name} where "id" = ?`).run(id);
    return deleted.changes === 0 ? { outcome: 'not_found', id } : { outcome: 'deleted' };
  }

  #reorder(statements: Statements, { items }: Write & { op: 'reorder' }): WriteResult {
    const names = parentColumns(statements.table);
    const parents: Value[][] = [];
    for (const { id } of items) {
      const row = statements
        .prepare('parent', (name) => `select ${names.map(quote).join(', ')} from ${name} where "id" = ?`)
        .get(id) as unknown as Value[] | undefined;
      if (!row) return { outcome: 'not_found', id };
      parents.push(row);
    }
    const first = parents[0] as Value[];
    const places = parents.flatMap((parent, i) => (parent.every((value, j) => value === first[j]) ? [] : [i]));
    if (places.length > 0) return { outcome: 'different_parent', places };
    for (const { id, idx } of items) {
      statements.prepare('place', (name) => `update ${name} set "idx" = ? where "id" = ?`).run(idx, id);
    }
    return { outcome: 'reordered', parent: Object.fromEntries(names.map((name, i) => [name, first[i] as Value])) };
  }

  #parentMissing({ parent }: Table, id: Value): boolean {
    if (parent?.table === undefined) return false;
    return this.#of(parent.table).one('exists', (name) => `select 1 from ${name} where "id" = ?`, id) === undefined;
  }
}

interface SqliteError extends Error {
  readonly errcode: number;
}

const isSqliteError = (error: unknown): error is SqliteError => error instanceof Error && 'errcode' in error;

// https://www.sqlite.org/rescode.html, the primary codes: busy, locked, no memory, read-only, interrupted, I/O error,
// full, cannot open.
const passing = new Set([5, 6, 7, 8, 9, 10, 13, 14]);

function asUnavailable(error: unknown): unknown {
  if (!isSqliteError(error) || !passing.has(error.errcode & 0xff)) return error;
  return unavailable('The database cannot be reached, is full or is busy. Try again.', error);
}

function openDatabase(file: string): DatabaseSync {
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
    const database = new DatabaseSync(file, { timeout: 2000 });
    try {
      database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = off;');
      const value = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0];
      if (value('pragma journal_mode') !== 'wal' || value('pragma synchronous') !== 2) {
        throw new StartError(
          `The database ${file} cannot be kept safe: its disk does not support SQLite's WAL journal.`,
        );
      }
      const owner = value('pragma application_id');
      const empty = value('select count(*) from sqlite_schema') === 0;
      if (owner !== applicationId && !empty) {
        throw new StartError(`${file} is an SQLite database of another program. Name another file in DATABASE_URL.`);
      }
      const version = empty ? format : value('pragma user_version');
      if (version !== format) {
        throw new StartError(
          `The database ${file} has the format ${version}, and this program knows the format ${format}. ` +
            'Start it with the version of the program that wrote it.',
        );
      }
      if (empty) database.exec(`pragma application_id = ${applicationId}; pragma user_version = ${format};`);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const reason = existsSync(file) ? message : `${message}. Check that its folder can be written.`;
    throw new StartError(`The database ${file} cannot be opened: ${reason}`);
  }
}

function syncSchema(database: DatabaseSync, tables: readonly Table[]): void {
  const rows = <T>(sql: string): T[] => database.prepare(sql).all() as T[];
  const live = new Map(
    rows<{ name: string }>(`select name from sqlite_schema where type = 'table'`).map(({ name }) => [
      name,
      new Map(
        rows<{ name: string; type: string; notnull: number; dflt_value: string | null; pk: number }>(
          `pragma table_info(${quote(name)})`,
        ).map((column) => [
          column.name,
          { type: column.type, mandatory: column.notnull === 1 && column.dflt_value === null },
        ]),
      ),
    ]),
  );
  const indexes = new Map(
    rows<{ name: string }>(`select name from sqlite_schema where type = 'index' and sql is not null`).map(
      ({ name }) => [name, rows<{ name: string }>(`pragma index_info(${quote(name)})`).map((column) => column.name)],
    ),
  );
  const { statements, refusals } = planSchema(tables, { tables: live, indexes });
  if (refusals.length > 0) {
    throw new StartError(['The database does not fit the spec, and nothing was changed:', ...refusals].join('\n  '));
  }
  for (const statement of statements) database.exec(statement);
}

function addSingletons(database: DatabaseSync, tables: readonly Table[]): void {
  for (const { kind, name, columns } of tables) {
    if (kind !== 'singleton') continue;
    const { id, time } = birth(name);
    const service: Readonly<Record<string, Value>> = { id, created_at: time, updated_at: time };
    database
      .prepare(
        `insert into ${quote(name)} (${columns.map((column) => quote(column.name)).join(', ')}) ` +
          `select ${columns.map(() => '?').join(', ')} where not exists (select 1 from ${quote(name)})`,
      )
      .run(...columns.map((column) => bind(service[column.name] ?? column.default)));
  }
}

/**
 * Opens a SQLite file, made if there is none, and brings its schema to the wanted tables: all of it or nothing.
 *
 * @throws StartError when the file cannot be opened, is not ours, or would lose data.
 */
export function openSqlite(file: string, tables: readonly Table[]): Store {
  const database = openDatabase(file);
  try {
    database.exec('begin immediate');
    syncSchema(database, tables);
    addSingletons(database, tables);
    database.exec('commit');
  } catch (error) {
    database.close();
    throw error;
  }
  return new SqliteStore(database, tables);
}
