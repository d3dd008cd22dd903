import type { DatabaseSync } from 'node:sqlite';
import type { Table } from '../../schema/table.ts';
import { quote, totals } from '../sql.ts';
import { type Listing, longPage, type Page, type Store, type Write, type WriteResult } from '../store.ts';
import { asUnavailable } from './failure.ts';
import { bind, Statements } from './statements.ts';
import { Writer } from './writer.ts';

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
export class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  readonly #statements: ReadonlyMap<string, Statements>;
  readonly #writer = new Writer((table) => this.#of(table));
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
      const result = this.#writer.run(write);
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
}
