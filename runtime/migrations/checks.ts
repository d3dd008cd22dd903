import type { RowCheck } from './types.ts';

/** The check that a query finds no rows. @param problems sentences about those that it finds */
export const findsNone =
  (query: string, problems: (rows: readonly (readonly unknown[])[]) => string[]): RowCheck =>
  async (database) => {
    const rows = await database.query(query);
    return rows.length > 0 ? problems(rows) : [];
  };
