import { maxNamed } from '../kernel/model/limits.ts';
import type { RowCheck } from './types.ts';

/** The check that a query finds no rows. @param problems sentences about those that it finds */
export const findsNone =
  (query: string, problems: (rows: readonly (readonly unknown[])[]) => string[]): RowCheck =>
  async (database) => {
    const rows = await database.query(query);
    return rows.length > 0 ? problems(rows) : [];
  };

/** Does checks, and says what all of them find. */
export const allOf =
  (checks: readonly RowCheck[]): RowCheck =>
  async (database) =>
    (await Promise.all(checks.map((check) => check(database)))).flat();

/** Names rows, up to some. @param count of all, if these are only some */
export const named = (ids: readonly unknown[], count = ids.length): string =>
  ids.slice(0, maxNamed).join(', ') + (count > maxNamed ? ' and others' : '');

/** Rows that a migration finds, by what is said of them: all are counted, and some named. */
export class NamedRows {
  readonly #found = new Map<string, { count: number; readonly ids: string[] }>();

  add(what: string, id: unknown): void {
    const found = this.#found.getOrInsertComputed(what, () => ({ count: 0, ids: [] }));
    if (found.count++ < maxNamed) found.ids.push(String(id));
  }

  /** @param sentence gets how many rows they are, as words, and their ids */
  describe(sentence: (what: string, rows: string, ids: string) => string): string[] {
    return [...this.#found].map(([what, { count, ids }]) =>
      sentence(what, count === 1 ? '1 row' : `${count} rows`, named(ids, count)),
    );
  }
}
