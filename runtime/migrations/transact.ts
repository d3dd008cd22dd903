import type { Database } from './types.ts';

/** Runs `work` in a transaction: that of the attempt, if that is one. */
export const inAttempt = <T>(database: Database, work: () => Promise<T>): Promise<T> =>
  database.isAtomic ? work() : inTransaction(database, 'begin', work);

/** Runs `work` in a transaction of its own; again after a conflict with other connections. */
export const transact = <T>(database: Database, work: () => Promise<T>): Promise<T> =>
  database.attempt(() => inAttempt(database, work));

/** Runs `work` in a transaction, which the statement `begin` begins. */
export async function inTransaction<T>(database: Database, begin: string, work: () => Promise<T>): Promise<T> {
  await database.query(begin);
  try {
    const result = await work();
    await database.query('commit');
    return result;
  } catch (error) {
    // Fails if the engine has rolled back by itself.
    await database.query('rollback').catch(() => undefined);
    throw error;
  }
}
