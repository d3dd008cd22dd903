import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { CliError } from '../errors.ts';
import type { Table } from '../schema/table.ts';
import type { Migration, Preview } from './migration.ts';
import type { Kept, DestructiveChanges, Step } from './plan.ts';
import { countAnew, countKept } from '../store/ddl.ts';
import { isMiscounted } from '../backup/check.ts';
import { primaryCode } from '../store/sqlite/failure.ts';
import { formatOf, valueOf } from '../store/sqlite/identity.ts';
import { migrateSchema, type Outcome, planFor, readSchema } from './sqlite-schema.ts';

/** What `npm run migrate` does with an SQLite file; `open` opens it for writing, and makes it where there is none. */
export class SqliteMigration implements Migration {
  readonly #file: string;
  readonly #tables: readonly Table[];
  readonly #open: (file: string) => DatabaseSync;

  constructor(file: string, tables: readonly Table[], open: (file: string) => DatabaseSync) {
    this.#file = file;
    this.#tables = tables;
    this.#open = open;
  }

  async plan(orders: DestructiveChanges): Promise<Preview> {
    return outlookOf(this.#read((database) => planFor(database, this.#tables, orders)));
  }

  async run(orders: DestructiveChanges, onStep: (step: Step) => void): Promise<Preview> {
    const outcome = this.#write((database) => migrateSchema(database, this.#tables, orders));
    for (const step of outcome.steps) onStep(step);
    return outlookOf(outcome);
  }

  async rowsOf(kept: Kept): Promise<number> {
    return this.#read((database) => Number(valueOf(database, countKept(kept))));
  }

  async recount(): Promise<string[]> {
    return this.#write((database) => {
      database.exec('begin immediate');
      const { tables, indexes, counted } = readSchema(database);
      const wrong = [...tables.keys()].filter((name) => {
        const field = indexes.get(`${name}_by_parent`)?.[0];
        if ((field === undefined && !counted.has(name)) || !isMiscounted(database, name, field)) return false;
        const anew = countAnew({
          name,
          ...(field === undefined ? { kind: 'record' } : { kind: 'line-item', parent: { field } }),
        });
        for (const statement of anew) database.exec(statement);
        return true;
      });
      database.exec('commit');
      return wrong;
    });
  }

  async close(): Promise<void> {}

  /** Where there is no file yet, an empty database in memory stands for it: nothing is made by looking. */
  #read<T>(work: (database: DatabaseSync) => T): T {
    return this.#with(() => {
      if (!existsSync(this.#file)) return new DatabaseSync(':memory:');
      const database = new DatabaseSync(this.#file, { readOnly: true, timeout: 2_000 });
      formatOf(database, this.#file);
      return database;
    }, work);
  }

  #write<T>(work: (database: DatabaseSync) => T): T {
    return this.#with(() => this.#open(this.#file), work);
  }

  #with<T>(open: () => DatabaseSync, work: (database: DatabaseSync) => T): T {
    try {
      using database = open();
      return work(database);
    } catch (error) {
      if (primaryCode(error) === undefined) throw error;
      throw new CliError(`The database ${this.#file} cannot be used: ${(error as Error).message}.`);
    }
  }
}

const outlookOf = ({ isOldFormat, ...plan }: Outcome): Preview => ({
  plan,
  notes: isOldFormat ? ['The numbers of rows are kept in another way, and counted anew.'] : [],
});
