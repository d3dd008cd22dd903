import { setTimeout as pause } from 'node:timers/promises';
import { migrateSchema } from '../migrate/driver.ts';
import { NotAlone, SqliteDatabase } from '../migrate/sqlite.ts';
import type { Table } from '../schema/table.ts';
import { cannotUse } from '../store/sqlite/failure.ts';
import { openDatabase, openTimeout } from '../store/sqlite/open.ts';
import { SqliteStore } from '../store/sqlite/store.ts';
import type { Store } from '../store/store.ts';

/**
 * Opens a SQLite file of the service with this name, created if there is none, and migrates its schema to the tables: all of it or nothing.
 *
 * @throws CliError when the file cannot be opened, is not ours, or would lose data.
 */
export async function openSqlite(file: string, tables: readonly Table[], service: string): Promise<Store> {
  // Others that start at this moment may want the same, and are in each other's way: after a while one is alone.
  for (const deadline = Date.now() + openTimeout; ; await pause(20 + Math.random() * 200)) {
    const database = await openDatabase(file, service);
    try {
      await migrateSchema(new SqliteDatabase(database), tables, { incompatible: true });
      return new SqliteStore(database, file, tables);
    } catch (error) {
      database.close();
      if (error instanceof NotAlone && Date.now() < deadline) continue;
      throw cannotUse(file, error);
    }
  }
}
