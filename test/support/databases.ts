import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { describe, expect, type TestOptions } from 'vitest';

import type { Table } from '../../runtime/kernel/model/table.ts';
import { parentPrefix } from '../../runtime/kernel/sql/schema.ts';
import {
  areLong,
  type ItemStream,
  type Listing,
  type Projection,
  type ShownRecords,
} from '../../runtime/kernel/records/page.ts';
import type { Records } from '../../runtime/kernel/records/store.ts';
import { streamRecords } from '../../runtime/kernel/records/stream.ts';
import { citusMissing, createCitus } from './citus.ts';
import { type MainStore, openPostgres, openSqlite } from './main-store.ts';
import { createPostgres, postgresMissing } from './postgres.ts';
import { isLong } from './seed.ts';

/** The name of the tests' own service, which its SQLite files are marked with. */
export const serviceName = 'workshop';

export type Row = Readonly<Record<string, unknown>>;

/** A database of its own, gone when its scope ends. */
export interface TestDatabase extends AsyncDisposable {
  /** The DATABASE_URL of commands and servers. */
  readonly url: string;
  /** The DATABASE_URL of servers that ask another node than commands do. */
  readonly serverUrl?: string;
  /** Makes the tables, where a server that is started cannot. */
  prepare?(tables: readonly Table[]): Promise<void>;
  open(tables: readonly Table[]): Promise<MainStore>;
  /** Asks the engine itself, past any store. */
  query(sql: string): Promise<Row[]>;
  /** Asks several questions, at less cost than each alone. */
  queryAll(statements: readonly string[]): Promise<Row[][]>;
  /** Does several statements, past any store. */
  execute(sql: string): Promise<void>;
}

/** A database engine that the same tests run on. */
export interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL' | 'Citus';
  /** Why its tests cannot run here. */
  readonly missing?: string;
  /** @param tables those it has where making them takes long, and not on SQLite; without them it is empty */
  create(tables?: readonly Table[]): Promise<TestDatabase>;
}

export const sqlite: Engine = {
  name: 'SQLite',
  async create() {
    const folder = await mkdtemp(join(tmpdir(), 'records-store-'));
    const file = join(folder, 'records.db');
    const queryAll = async (statements: readonly string[]): Promise<Row[][]> => {
      using database = new DatabaseSync(file);
      return statements.map((sql) => database.prepare(sql).all());
    };
    return {
      url: `sqlite:${file}`,
      open: (tables) => openSqlite(file, tables, serviceName),
      queryAll,
      query: async (sql) => (await queryAll([sql]))[0] as Row[],
      async execute(sql) {
        const database = new DatabaseSync(file, { timeout: 5_000 });
        try {
          database.exec(`begin immediate; ${sql}; commit`);
        } finally {
          database.close();
        }
        // The reads of one turn of the event loop share a snapshot, which may be older.
        await nextTurn();
      },
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
    };
  },
};

/** Statements by hand. */
const byHand = (query: (sql: string) => Promise<Row[]>) => ({
  query,
  async queryAll(statements: readonly string[]) {
    const results: Row[][] = [];
    for (const sql of statements) results.push(await query(sql));
    return results;
  },
  async execute(sql: string) {
    await query(sql);
  },
});

export const postgres: Engine = {
  name: 'PostgreSQL',
  ...(postgresMissing !== undefined && { missing: postgresMissing }),
  async create(filled) {
    const database = await createPostgres('', filled);
    return {
      ...database,
      open: (tables) => openPostgres(database.url, tables, true),
      ...byHand(database.query),
    };
  },
};

export const engines: readonly Engine[] = [sqlite, postgres];

/** PostgreSQL on several nodes. Each store asks another one. */
export const citus: Engine = {
  name: 'Citus',
  ...(citusMissing !== undefined && { missing: citusMissing }),
  async create(filled) {
    const database = await createCitus();
    if (filled) await database.migrate(filled);
    const client = new Client({ connectionString: database.urls[0] });
    await client.connect();
    let opened = 0;
    const nextUrl = (): string => database.urls[++opened % database.urls.length] as string;
    return {
      url: database.urls[0] as string,
      serverUrl: nextUrl(),
      prepare: (tables) => database.migrate(tables),
      async open(tables) {
        await database.migrate(tables);
        return openPostgres(nextUrl(), tables, true);
      },
      ...byHand(async (sql) => (await client.query<Row>(sql)).rows),
      async [Symbol.asyncDispose]() {
        await client.end();
        await database[Symbol.asyncDispose]();
      },
    };
  },
};

/**
 * The engines of tests whose statements other tests send, too: `npm test` runs them on SQLite, and `npm run test:long` on each, by
 * a file `*.long.test.ts` that imports them.
 */
export const sampledEngines: readonly Engine[] = [...(isLong ? engines : [sqlite]), citus];

/** Compares the totals that are kept with the rows that are there, by the engine's own count, at one moment. */
export async function expectExactTotals(
  database: Pick<TestDatabase, 'query'>,
  tables: readonly Table[],
): Promise<void> {
  const counts = tables
    .filter(({ kind }) => kind !== 'singleton')
    .map(({ name, parent }) => {
      const of = parent ? `"${parent.field}"` : "''";
      const rows = `(select "_organization", ${of} as "parent" from "${name}") as rows where length("parent") < ${parentPrefix}`;
      return `select 'counted', "_organization", '${name}', "parent", cast(count(*) as bigint) from ${rows} group by 2, 4`;
    });
  const kept = `select 'kept' as "how", "_organization", "table", "parent", cast(sum("count") as bigint) as "count" from "_row_counter"
    group by "_organization", "table", "parent" having sum("count") <> 0`;
  const rows = await database.query([kept, ...counts].join('\nunion all '));
  const named = (how: string): string[] =>
    rows
      .filter((row) => row['how'] === how)
      .map(
        ({ _organization, table, parent, count }) =>
          `${Number(_organization)}: ${String(table)} of ${JSON.stringify(parent)}: ${Number(count)}`,
      )
      .toSorted();
  expect(named('kept')).toEqual(named('counted'));
}

/** Resolves when a database does nothing more for a server that was killed. */
export async function disconnected(
  { name }: Pick<Engine, 'name'>,
  database: Pick<TestDatabase, 'query'>,
): Promise<void> {
  if (name === 'SQLite') return;
  // A maintenance daemon of Citus stays connected, and the server may have asked another node.
  const others =
    name === 'Citus'
      ? `citus_stat_activity where not is_worker_query and backend_type = 'client backend' and global_pid <> citus_backend_gpid()`
      : 'pg_stat_activity where pid <> pg_backend_pid()';
  while ((await database.query(`select 1 from ${others} and datname = current_database()`)).length > 0) await pause(5);
}

/** A `describe` that is skipped, and says why, where the engine is missing. */
export const describeEngine = (engine: Engine, what: string, cases: () => void): void =>
  describeWith({}, engine, what, cases);

/** The same for cases that mostly wait: all in it run at once, beside those of the other engines. */
export const describeConcurrently = (engine: Engine, what: string, cases: () => void): void =>
  describeWith({ concurrent: true }, engine, what, cases);

function describeWith(options: TestOptions, { name, missing }: Engine, what: string, cases: () => void): void {
  if (missing === undefined) {
    describe(`${name}: ${what}`, options, cases);
  } else {
    console.warn(`Skipped on ${name}: ${what}: ${missing}.`);
    describe.skip(`${name}: ${what} (${missing})`, cases);
  }
}

/** The records of a page of a table, of which long ones are streamed. */
export const itemsOf = (records: Records, table: string, { items }: Pick<Listing, 'items'>, projection?: Projection) =>
  areLong(items)
    ? streamRecords(records, records.tables.find(({ name }) => name === table) as Table, items, projection)
    : items;

/** Records, put together. The chunks of streamed ones may be freed, and are. */
export async function textOf(items: ShownRecords | ItemStream | Listing['items']): Promise<string> {
  if (typeof items === 'string') return items;
  if (Array.isArray(items)) return Buffer.concat(items).toString();
  const copies: Uint8Array[] = [];
  for await (const chunk of items as ItemStream) {
    copies.push(Uint8Array.from(chunk));
    chunk.fill(0);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(copies));
}
