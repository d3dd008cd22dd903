import { DatabaseSync } from 'node:sqlite';

import { connectTo } from '../bench/databases/postgres.ts';

/** Locks a table, on SQLite the whole database, against writes, as another program may. It is free when the scope ends. */
export async function lock(databaseUrl: string, table: string): Promise<AsyncDisposable> {
  const file = /^sqlite:(.+)/.exec(databaseUrl)?.[1];
  if (file !== undefined) {
    const database = new DatabaseSync(file);
    database.exec('begin immediate');
    return { [Symbol.asyncDispose]: () => Promise.resolve(database.close()) };
  }
  const client = await connectTo(databaseUrl);
  await client.query(`begin; lock table "${table}" in access exclusive mode`);
  return { [Symbol.asyncDispose]: () => client.end() };
}
