import { CliError } from '../../kernel/model/errors.ts';
import type { Feature } from '../../kernel/feature.ts';
import type { Table } from '../../kernel/model/table.ts';
import { literal, organizationColumn, quote, rowCounters } from '../../kernel/sql/schema.ts';
import type { MigrationPart } from '../../migrations/part.ts';
import { change } from '../../migrations/steps.ts';
import type { Database, DistributedTable, Step } from '../../migrations/types.ts';
import { foreignKeys } from '../../migrations/definitions.ts';
import { ownTables } from '../../migrations/own-tables.ts';

/**
 * Statements that spread a table over the nodes of a Citus cluster (https://docs.citusdata.com): all rows of an organization
 * are on one node, of every table. The service's own small tables are copied to each node.
 */
function distributeTable({ name, key, identity }: DistributedTable): string[] {
  const table = literal(quote(name));
  if (key === undefined) return [`select create_reference_table(${table})`];
  const together = name === rowCounters ? 'none' : quote(rowCounters);
  const spread =
    `select create_distributed_table(${table}, ${literal(organizationColumn)}, ` +
    `colocate_with => ${literal(together)})`;
  // Without an identity, the rows could not change while their shard moves to another node.
  const identify = `alter table ${quote(name)} replica identity using index ${quote(identity ?? '')}`;
  return identity === undefined ? [spread] : [identify, spread];
}

/** The tables of the current schema that are distributed. Undefined without the extension. */
async function readDistributed(query: Database['query']): Promise<ReadonlySet<string> | undefined> {
  const extension = await query(`select 1 from pg_catalog.pg_extension where extname = 'citus'`);
  if (extension.length === 0) return undefined;
  const rows = await query(
    `select c.relname from pg_catalog.pg_dist_partition p
     join pg_catalog.pg_class c on c.oid = p.logicalrelid
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = current_schema()`,
  );
  return new Set(rows.map(([name]) => String(name)));
}

/**
 * The step that distributes all tables which are not yet, once they exist; none if all are. A start does that for a table that it adds.
 *
 * @param database a PostgreSQL database
 * @throws CliError if the database lacks the extension
 */
export async function planDistribution(
  features: readonly Feature[],
  database: Database,
  tables: readonly Table[],
): Promise<Step[]> {
  const distributed = await readDistributed((sql) => database.query(sql));
  if (!distributed) {
    throw new CliError(
      '--distribute needs the extension Citus, which this database does not have. Install it on each node, ' +
        'run `create extension citus` in the database of each, and add the nodes: see docs/scaling.md.',
    );
  }
  // The first one is what the others are placed with.
  const all = [...ownTables(features, tables), ...tables.map(({ name }) => ({ name, key: '"id"' }))]
    .filter(({ name }) => !distributed.has(name))
    .toSorted((a, b) => Number(b.name === rowCounters) - Number(a.name === rowCounters));
  // Citus refuses a foreign key between a distributed table and one that is not. A migration would add one that is missing, so
  // that an interrupted distribution could not go on: it is one transaction.
  const { dialect } = await database.readSchema();
  const keys = tables.filter(({ name }) => !distributed.has(name)).flatMap(foreignKeys);
  const statements = [
    ...keys.flatMap((key) => dialect.dropForeignKey(key)),
    ...all.flatMap(distributeTable),
    ...keys.flatMap((key) => dialect.addForeignKey(key, { isThere: false, hasRows: false }).flat()),
  ];
  return statements.length === 0 ? [] : [change('incompatible', ...statements)];
}

export const migration: MigrationPart = { cluster: { readDistributed, distributeTable, planDistribution } };
