import { hash } from 'node:crypto';
import type { Value } from '../../kernel/model/fields.ts';
import { foldVersion } from '../../kernel/model/fold.ts';
import type { Table } from '../../kernel/model/table.ts';
import { quote, renamesOf } from '../../kernel/sql/values.ts';
import { foldedColumns, foldedValue, hiddenTexts, type UniqueKey } from './columns.ts';
import { describeClashes } from './stored-clashes.ts';
import { noteStep } from '../../migrations/steps.ts';
import type { Database, Derivation, RowCheck, Step } from '../../migrations/types.ts';
import { inEachRow, rewritten } from '../../migrations/rewrites.ts';
import { slicesOf } from '../../migrations/slices.ts';

/** The fields of a table whose texts are folded as this version does, as `requiredColumns` lists them. */
export const foldedNames = (table: Table): string[] =>
  [...foldedColumns(table).keys()].map((field) => {
    // The texts of present names are others.
    const renames = renamesOf(table.columns.find(({ name }) => name === field) ?? {});
    return [`${table.name}.${field} folded`, foldVersion, renames ?? []].flat().join(' ');
  });

/** The folded texts that are compared without case. */
export function foldedRewrite(table: Table): Derivation {
  const fields = [...foldedColumns(table).keys()];
  return {
    table,
    description: inEachRow(table, 'texts', fields, 'stored without case'),
    columns: () => hiddenTexts(table).map((column) => rewritten(table, column)),
    clash:
      `Records of ${table.name} would have the same ${fields.join(', ')} as they are folded now. Take ignore_case out of the ` +
      'spec, migrate, and put it back: that start names them.',
  };
}

/**
 * The step that folds texts again which another version has stored. The unique indexes stay meanwhile, also for servers of
 * that version; the check is before the first step.
 *
 * @param keys those whose indexes hold the texts
 * @param valueOf an expression for the value that a field is going to have
 */
export function refold(table: Table, keys: readonly UniqueKey[], valueOf: (field: string) => string): Step {
  const note = noteStep(...foldedNames(table));
  if (keys.length === 0) return note;
  const check: RowCheck = async (database) => {
    const problems: string[] = [];
    for (const key of keys) problems.push(...(await findClashes(database, table, key, valueOf)));
    return problems;
  };
  return { ...note, kind: 'rewrite', rewrite: foldedRewrite(table), check };
}

/** Describes rows that would have the same values. No statement folds: all rows are read, and again if any text changes. */
async function findClashes(
  database: Database,
  { name }: Table,
  { fields, columns: [, ...columns] }: UniqueKey,
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
