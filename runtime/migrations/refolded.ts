import { hash } from 'node:crypto';
import type { Value } from '../model/fields.ts';
import { foldVersion } from '../model/search.ts';
import type { Table } from '../model/table.ts';
import { quote, renamesOf } from '../sql/values.ts';
import { foldedColumns, foldedValue, type UniqueKey } from '../sql/unique.ts';
import { describeClashes } from './clashes.ts';
import type { Database, Step } from './types.ts';
import { addRequired } from './required.ts';
import { foldedRewrite } from './rewrites.ts';
import { slicesOf } from './slices.ts';

/** The fields of a table whose texts are folded as this version does, as `requiredColumns` lists them. */
export const foldedNames = (table: Table): string[] =>
  [...foldedColumns(table).keys()].map((field) => {
    // The texts of present names are others.
    const renames = renamesOf(table.columns.find(({ name }) => name === field) ?? {});
    return [`${table.name}.${field} folded`, foldVersion, renames ?? []].flat().join(' ');
  });

/**
 * The step that folds texts again which another version has stored. The unique indexes stay meanwhile, also for servers of
 * that version; the check is before the first step.
 *
 * @param keys those whose indexes hold the texts
 * @param valueOf an expression for the value that a field is going to have
 */
export const refold = (table: Table, keys: readonly UniqueKey[], valueOf: (field: string) => string): Step => ({
  kind: 'addition',
  isNote: true,
  statements: addRequired(foldedNames(table)),
  ...(keys.length > 0 && {
    rewrite: foldedRewrite(table),
    check: async (database) => {
      const problems: string[] = [];
      for (const key of keys) problems.push(...(await findClashes(database, table, key, valueOf)));
      return problems;
    },
  }),
});

/** Describes rows that would have the same values. No statement folds: all rows are read, and again if any text changes. */
async function findClashes(
  database: Database,
  { name }: Table,
  { fields, columns }: UniqueKey,
  valueOf: (field: string) => string,
): Promise<string[]> {
  const expressions = [...fields.map(valueOf), ...columns.map(quote)];
  const read = async (see: (key: string, id: string, isChanged: boolean) => void): Promise<void> => {
    for await (const rows of slicesOf(database, name, expressions)) {
      for (const [organization, id, ...values] of rows) {
        const folded = fields.map((field, at) =>
          field === columns[at] ? values[at] : foldedValue(values[at] as Value),
        );
        if (folded.includes(null)) continue;
        // A digest takes less memory than a text.
        const key = hash('sha256', JSON.stringify([organization, ...folded]), 'base64').slice(0, 16);
        see(
          key,
          String(id),
          folded.some((value, at) => value !== values[fields.length + at]),
        );
      }
    }
  };
  const changed = new Set<string>();
  await read((key, _, isChanged) => isChanged && changed.add(key));
  if (changed.size === 0) return [];
  const groups = new Map<string, string[]>();
  await read((key, id) => changed.has(key) && groups.set(key, [...(groups.get(key) ?? []), id]));
  const clashes = [...groups.values()].filter((ids) => ids.length > 1);
  return clashes.length > 0 ? [describeClashes(name, fields, clashes)] : [];
}
