import { maxNamed } from '../model/limits.ts';

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
      sentence(
        what,
        count === 1 ? '1 row' : `${count} rows`,
        ids.join(', ') + (count > ids.length ? ' and others' : ''),
      ),
    );
  }
}
