import type { Feature } from '../kernel/feature.ts';
import type { Table } from '../kernel/model/table.ts';
import { mainName, mainOrganization, organizationColumn, organizations, rowCounters } from '../kernel/sql/schema.ts';
import { literal, quote } from '../kernel/sql/values.ts';

declare module '../kernel/feature.ts' {
  interface Feature {
    /** Tables of its own. */
    readonly tables?: readonly OwnTable[];
  }
}

/** A table of the service itself. */
export interface OwnTable {
  readonly name: string;
  /** They create it with its indexes. Each column has a line of the first one. */
  readonly statements: readonly string[];
  /** The columns that find its rows within an organization; absent if organizations have no rows in it, or `id` finds them. */
  readonly key?: string;
  /** A condition: a row is not needed any more. @param now milliseconds, by the clock of the server */
  readonly isOld?: (now: number) => string;
  /** Whether a service with these tables needs it; each one does without this. */
  readonly isFor?: (tables: readonly Table[]) => boolean;
  /** The index that tells its rows apart, if it has no primary key. */
  readonly identity?: string;
}

/**
 * The table of the columns, as `lead.name`, that are known to hold no null because their field is required, of those that are
 * known to have no more decimals than their scale, as `fine.amount.2`, of those whose date-times are all written as timestamps,
 * as `lead.seen_at date-time`, of those that hold no former name of a value, as `lead.stage values 2c26b46b68ff`, of unique ones whose `backfill` is stored in each row that held null, as `lead.code backfill`, and of
 * those whose folded texts are as this version folds, as `lead.email folded 2`: a start reads the rows of the others. The start of a
 * version whose field has no such rule removes its row.
 */
export const requiredColumns = '_required_column';

/** Whether a table is the service's own, or another program's like Litestream's: no name of a spec begins so. */
export const isHelperTable = (name: string): boolean => name.startsWith('_');

/** A row stays for ever, so that no id is used again. A deletion sets `deleted_at`, then removes the name. */
const createOrganizations = `create table ${quote(organizations)} (
  "id" bigint not null primary key,
  "name" text unique,
  "created_at" text,
  "deleted_at" text
)`;

const insertMain = `insert into ${quote(organizations)} values (${mainOrganization}, ${literal(mainName)}, null, null)`;

export const createRowCounters = `create table ${quote(rowCounters)} (
  ${quote(organizationColumn)} bigint not null,
  "table" text not null,
  "parent" text not null,
  "shard" bigint not null,
  "count" bigint not null,
  primary key (${quote(organizationColumn)}, "table", "parent", "shard")
)`;

const createRequiredColumns = `create table ${quote(requiredColumns)} (
  "name" text not null primary key
)`;

/** The tables of the kernel. */
export const kernelTables: readonly OwnTable[] = [
  { name: organizations, statements: [createOrganizations, insertMain] },
  { name: rowCounters, statements: [createRowCounters], key: '"table", "parent", "shard"' },
  { name: requiredColumns, statements: [createRequiredColumns] },
];

/** The service's own tables: those of the kernel, and those of features. @param tables those that it has to have, if not all are wanted */
export const ownTables = (features: readonly Feature[], tables?: readonly Table[]): OwnTable[] =>
  [...kernelTables, ...features.flatMap(({ tables: own = [] }) => own)].filter(
    ({ isFor }) => !tables || (isFor?.(tables) ?? true),
  );

/** The definitions of the columns of one of the service's own tables. */
export const definitionsOf = ({ statements: [create = ''] }: OwnTable): string[] =>
  [...create.matchAll(/^ {2}(".*?),?$/gm)].map(([, definition = '']) => definition);
