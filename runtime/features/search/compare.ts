import { quote } from '../../kernel/sql/schema.ts';
import type { Table } from '../../kernel/model/table.ts';
import { inEachRow, rewritten } from '../../migrations/rewrites.ts';
import type { MigrationPart } from '../../migrations/part.ts';
import { change, dropIndex, indexStep, isUnfinished } from '../../migrations/steps.ts';
import type { ActualSchema, Comparison, Derivation, SchemaComparison, Step } from '../../migrations/types.ts';
import { searchEngines } from './engines.ts';
import { isSearchIndex, isSearchOf, searchColumn, searchOf, wordColumns } from './search.ts';
import type { SchemaDialect } from '../../migrations/definitions.ts';

/** The words that a table is searched by. Rows written before that, or by a version that does not search them, have others. */
export const searchRewrite = (table: Table): Derivation => ({
  table,
  description: inEachRow(table, 'words', table.list.search, 'stored'),
  isSlow: true,
  columns: ({ engine }) => wordColumns(table, searchEngines[engine]).map((column) => rewritten(table, column)),
});

/** The index of the words of other fields, which is to have those of a table. */
function formerSearch(table: Table, actual: ActualSchema): string | undefined {
  const search = searchOf(table);
  if (!search || actual.indexes.has(search.name)) return undefined;
  return [...actual.indexes.keys()].find((name) => isSearchOf(table.name, name) && !isUnfinished(name, actual));
}

function* compareSearch({ table, columns, actual, dialect }: Comparison): Generator<Step> {
  const search = searchOf(table);
  const engine = searchEngines[dialect.engine];
  const isKnown = columns.has(searchColumn);
  if (!search) {
    const drop = `alter table ${quote(table.name)} drop column ${quote(searchColumn)}`;
    // Servers of another version may write it.
    if (isKnown) yield { ...change('incompatible', drop), need: 'cleanup' };
    return;
  }
  if (isKnown && actual.indexes.get(search.name)?.length) return;
  const former = formerSearch(table, actual);
  const rename = former === undefined ? undefined : engine.rename?.(former, search.name);
  if (former !== undefined && !rename) yield { ...engine.drop(former), effect: 'addition' };
  // The index is last: without it, the words are stored again.
  yield { ...change('addition'), kind: 'rewrite', rewrite: searchRewrite(table) };
  yield rename ?? indexStep(...engine.create(search, dialect.concurrently));
}

/** Writes do not keep up words that are not searched: a version that wants them stores them again if it finds no index. */
function keepIndex({ tables, actual, dialect }: SchemaComparison): (name: string) => Step[] | undefined {
  const desired = new Set(tables.map((table) => searchOf(table)?.name));
  const renamed = new Set(tables.map((table) => formerSearch(table, actual)));
  return (name) => {
    if (!isSearchIndex(name)) return undefined;
    if (renamed.has(name)) return [];
    if (!desired.has(name)) return [searchEngines[dialect.engine].drop(name)];
    return isUnfinished(name, actual) ? [{ ...dropIndex(name, dialect), unfinished: name }] : [];
  };
}

/** The statements that give a new table its index. */
function create(table: Table, { engine }: SchemaDialect): string[] {
  const search = searchOf(table);
  return search ? searchEngines[engine].create(search, '') : [];
}

export const migration: MigrationPart = {
  create,
  keepIndex,
  compare: compareSearch,
  rewrites: (tables) => tables.map(searchRewrite),
};
