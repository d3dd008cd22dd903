import type { Table } from '../kernel/model/table.ts';
import { mainOrganization, organizationColumn, parentPrefix, rowCounters } from '../kernel/sql/schema.ts';
import { unlistedCounter } from '../kernel/sql/row-counters.ts';
import { literal, quote } from '../kernel/sql/values.ts';

/** The part of a table that its row counters depend on. */
export type Counted = Pick<Table, 'name' | 'kind' | 'parent' | 'unlistedBy'>;

/** Statements that delete the row counters of a table. Singletons have none. */
export const deleteCounters = ({ name, kind }: Counted): string[] =>
  kind === 'singleton' ? [] : [`delete from ${quote(rowCounters)} where "table" = ${literal(name)}`];

/** A query for what the row counters of a table should be: organization, `parent` and `count`. */
export function countByParent({ name, parent, unlistedBy }: Counted): string {
  const field = parent ? quote(parent.field) : "''";
  const filter = parent ? ` where length(${field}) < ${parentPrefix}` : '';
  const keys = quote(organizationColumn) + (parent ? `, ${field}` : '');
  return (
    `select ${quote(organizationColumn)}, ${field} as "parent", count(*) as "count" ` +
    `from ${quote(name)}${filter} group by ${keys}` +
    (unlistedBy === undefined ? '' : ` union all ${countUnlisted(name, unlistedBy)}`)
  );
}

const countUnlisted = (table: string, column: string): string =>
  `select ${quote(organizationColumn)}, ${literal(unlistedCounter)} as "parent", count(*) as "count" from ${quote(table)} ` +
  `where ${quote(column)} is not null group by ${quote(organizationColumn)}`;

/** Statements that rebuild the row counters of a table of records or line items. */
export const rebuildCounter = (table: Counted): string[] => [
  ...deleteCounters(table),
  `insert into ${quote(rowCounters)} ` +
    `select ${quote(organizationColumn)}, ${literal(table.name)}, "parent", 0, "count" from (${countByParent(table)}) counted`,
  ...(table.kind === 'record' ? [`${addMainCounter(table)} on conflict do nothing`] : []),
];

/** Statements that rebuild the counter of the records that lists leave out. */
export const rebuildUnlisted = (table: string, column: string): string[] => [
  `delete from ${quote(rowCounters)} where "table" = ${literal(table)} and "parent" = ${literal(unlistedCounter)}`,
  `insert into ${quote(rowCounters)} select ${quote(organizationColumn)}, ${literal(table)}, "parent", 0, "count" ` +
    `from (${countUnlisted(table, column)}) as _counted`,
];

/** The counter of `main` is there from the start: it tells a table of records from one of a singleton. */
export const addMainCounter = ({ name }: Counted): string =>
  `insert into ${quote(rowCounters)} values (${mainOrganization}, ${literal(name)}, '', 0, 0)`;
