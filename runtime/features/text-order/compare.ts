import { hash } from 'node:crypto';
import { foldVersion } from '../../kernel/model/fold.ts';
import type { Table } from '../../kernel/model/table.ts';
import { quote, renamesOf } from '../../kernel/sql/values.ts';
import type { MigrationPart } from '../../migrations/part.ts';
import { inEachRow, rewritten } from '../../migrations/rewrites.ts';
import { change, noteStep } from '../../migrations/steps.ts';
import type { Comparison, Derivation, Step } from '../../migrations/types.ts';
import { isOrderColumn, orderColumns } from './columns.ts';

const orderRewrite = (table: Table): Derivation => ({
  table,
  description: inEachRow(table, 'texts', table.list.ignoreCase ?? [], 'stored without case, to be sorted'),
  columns: () => orderColumns(table).map((column) => rewritten(table, column)),
});

/** The fields of a table whose texts are stored as they are folded and shown now, as `requiredColumns` lists them. */
const notes = (table: Table): string[] =>
  table.columns
    .filter(({ name }) => table.list.ignoreCase?.includes(name))
    .map((column) => {
      const { name, backfill = null } = column;
      const shown = backfill === null ? [] : hash('sha256', JSON.stringify(backfill), 'hex').slice(0, 12);
      return [`${table.name}.${name} sorted`, foldVersion, shown, renamesOf(column) ?? []].flat().join(' ');
    });

function* compareOrder({ table, columns, actual }: Comparison): Generator<Step> {
  const missing = notes(table).filter((name) => !actual.required.has(name));
  if (missing.length > 0) yield { ...noteStep(...missing), kind: 'rewrite', rewrite: orderRewrite(table) };
  const wanted = new Set(orderColumns(table).map(({ name }) => name));
  for (const column of columns.keys()) {
    if (!isOrderColumn(column) || wanted.has(column)) continue;
    // Servers of another version may write it.
    const drop = `alter table ${quote(table.name)} drop column ${quote(column)}`;
    yield { ...change('incompatible', drop), need: 'cleanup' };
  }
}

export const migration: MigrationPart = {
  notes,
  compare: compareOrder,
  rewrites: (tables) => tables.map(orderRewrite),
};
