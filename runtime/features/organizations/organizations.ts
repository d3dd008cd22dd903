import { CliError, UsageError } from '../../kernel/model/errors.ts';
import { maxWorkDuration } from '../../kernel/model/limits.ts';
import { rowsPerSlice } from '../../migrations/limits.ts';
import type { Database } from '../../migrations/types.ts';
import { partsOf } from '../../migrations/part.ts';
import { insertSingleton } from '../../migrations/singletons.ts';
import { transact } from '../../migrations/transact.ts';
import { inSlices } from '../../migrations/slices.ts';
import type { Feature } from '../../kernel/feature.ts';
import type { Table } from '../../kernel/model/table.ts';
import { pause } from '../../kernel/model/wait.ts';
import {
  literal,
  mainOrganization,
  organizationColumn,
  organizations,
  quote,
  rowCounters,
} from '../../kernel/sql/schema.ts';
import { didYouMean } from '../../kernel/model/suggest.ts';
import { isHelperTable, ownTables } from '../../migrations/own-tables.ts';

/**
 * Milliseconds after which no server writes for an organization any more whose keys are gone: a server notices that within a
 * second, also when a body ends that it has begun to read, and then works on the request for 15.5 seconds at most.
 */
export const settleTime = maxWorkDuration + 5_000;

export interface Organization {
  readonly id: number;
  readonly name: string;
  /** Unknown of `main`. */
  readonly createdAt: string | null;
  /** When its deletion began, which can be run again until it has ended. */
  readonly deletedAt: string | null;
}

/** The number of rows that each table has of an organization, for tables that have any. */
export type OwnedRows = ReadonlyMap<string, number>;

/** The organizations that are not deleted, in the order of their creation. */
export async function listOrganizations(database: Database): Promise<readonly Organization[]> {
  const rows = await database.query(
    `select "id", "name", "created_at", "deleted_at" from ${quote(organizations)} where "name" is not null order by "id"`,
  );
  return rows.map(([id, name, createdAt, deletedAt]) => ({
    id: Number(id),
    name: String(name),
    createdAt: createdAt as string | null,
    deletedAt: deletedAt as string | null,
  }));
}

/** The organization of this name, also while it is being deleted. @throws CliError that says which name is near */
export async function findOrganization(database: Database, name: string): Promise<Organization> {
  const all = await listOrganizations(database);
  const found = all.find((one) => one.name === name);
  if (found) return found;
  const names = all.map((one) => one.name);
  throw new CliError(
    `There is no organization ${JSON.stringify(name)}${didYouMean(name, names) || '.'} \`npm run organizations -- list\` lists them.`,
  );
}

/** Like `findOrganization`. @throws CliError also while it is being deleted */
export async function liveOrganization(database: Database, name: string): Promise<Organization> {
  const found = await findOrganization(database, name);
  if (found.deletedAt === null) return found;
  throw new CliError(`The organization ${name} is being deleted; \`${deleteCommand(name)}\` finishes that.`);
}

/** The command line that deletes an organization. */
export const deleteCommand = (name: string): string => `npm run organizations -- delete ${name} --yes`;

/** Creates an organization with its singletons, in one transaction. @throws CliError if the name is not valid or in use */
export async function createOrganization(
  features: readonly Feature[],
  database: Database,
  tables: readonly Table[],
  name: string,
): Promise<void> {
  const parts = await partsOf(features);
  await changeOrganizations(database, async () => {
    await requireFree(database, name);
    const [[id] = []] = await database.query(`select max("id") + 1 from ${quote(organizations)}`);
    const values = [Number(id), name, new Date().toISOString(), null];
    await database.query(`insert into ${quote(organizations)} values (${values.map(literal).join(', ')})`);
    for (const table of tables) {
      const added = { features, database, tables, table };
      if (table.kind === 'singleton') await database.query(insertSingleton(parts, added, Number(id)));
    }
  });
  for (const part of parts) await part.addRows?.(database, tables);
}

/** @throws CliError if there is no such organization, or the new name is not valid or in use */
export const renameOrganization = (database: Database, name: string, newName: string): Promise<void> =>
  changeOrganizations(database, async () => {
    const { id } = await liveOrganization(database, name);
    if (id === mainOrganization) throw new CliError(`${name} is the organization of API_KEYS, and keeps its name.`);
    await requireFree(database, newName);
    await change(database, id, `"name" = ${literal(newName)}`);
  });

/** Runs `work` in a transaction while no other one changes organizations. */
export const changeOrganizations = <T>(database: Database, work: () => Promise<T>): Promise<T> =>
  transact(database, async () => {
    // The row is locked, and later statements see what others have committed.
    await change(database, mainOrganization, '"name" = "name"');
    return work();
  });

const change = (database: Database, organization: number, assignment: string): Promise<unknown> =>
  database.query(`update ${quote(organizations)} set ${assignment} where "id" = ${organization}`);

/** @throws CliError if a name for an organization is not valid or in use */
async function requireFree(database: Database, name: string): Promise<void> {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) {
    throw new UsageError(
      `The name ${JSON.stringify(name)} is not valid: it must have 1 to 63 characters, each a lower-case letter, a digit ` +
        'or a hyphen, and begin with a letter or a digit.',
    );
  }
  const all = await listOrganizations(database);
  if (!all.some((one) => one.name === name)) return;
  await liveOrganization(database, name);
  throw new CliError(`There is already an organization ${name}.`);
}

/** Counts the rows that a deletion would remove. @throws CliError for `main` and unknown names */
export async function countOwnedRows(
  features: readonly Feature[],
  database: Database,
  name: string,
): Promise<OwnedRows> {
  const { id } = await deletable(database, name);
  const counts = new Map<string, number>();
  for (const { table } of await ownedTables(features, database)) {
    const [[count] = []] = await database.query(`select count(*) from ${organizationRows(table, id)}`);
    if (Number(count) > 0) counts.set(table, Number(count));
  }
  return counts;
}

/**
 * Deletes an organization with all that belongs to it, in slices that hold up no request. It can be interrupted at any time and
 * run again. The name is free afterwards; the id is never used again.
 *
 * @param settle milliseconds to wait before the last look, for what servers were writing when its keys were removed
 * @param onWait called before that
 * @returns the rows that were removed. @throws CliError for `main` and unknown names
 */
export async function deleteOrganization(
  features: readonly Feature[],
  database: Database,
  name: string,
  settle = settleTime,
  onWait: () => void = () => {},
): Promise<OwnedRows> {
  const id = await changeOrganizations(database, async () => {
    const found = await deletable(database, name);
    // No start gives it singletons from now on.
    const now = literal(new Date().toISOString());
    await change(database, found.id, `"deleted_at" = coalesce("deleted_at", ${now})`);
    return found.id;
  });
  const counts = new Map<string, number>();
  await removeRows(features, database, id, counts);
  onWait();
  await pause(settle);
  await removeRows(features, database, id, counts);
  await changeOrganizations(database, () => change(database, id, '"name" = null'));
  return counts;
}

async function deletable(database: Database, name: string): Promise<Organization> {
  const found = await findOrganization(database, name);
  if (found.id !== mainOrganization) return found;
  throw new CliError(`The organization ${name} cannot be deleted: it is that of API_KEYS.`);
}

const organizationRows = (table: string, organization: number): string =>
  `${quote(table)} where ${quote(organizationColumn)} = ${organization}`;

/**
 * The tables with rows of organizations, and the columns of their keys that follow the organization. Keys come before the
 * records that they give access to, and row counters after the rows that they count.
 */
async function ownedTables(
  features: readonly Feature[],
  database: Database,
): Promise<{ readonly table: string; readonly key: string }[]> {
  const { actual } = await database.readSchema();
  const keys = new Map(ownTables(features).map(({ name, key }) => [name, key]));
  const rank = (table: string): number => (table === rowCounters ? 2 : isHelperTable(table) ? 0 : 1);
  return [...actual.tables]
    .filter(([, columns]) => columns.has(organizationColumn))
    .map(([table]) => ({ table, key: keys.get(table) ?? '"id"' }))
    .toSorted((one, other) => rank(one.table) - rank(other.table));
}

/** Sets references to null, in slices: whichever row is removed first, no other one names it. */
async function clearReferences(database: Database, organization: number): Promise<void> {
  const { actual } = await database.readSchema();
  for (const { table, column } of actual.foreignKeys) {
    const rows = `${organizationRows(table, organization)} and ${quote(column)} is not null`;
    const slice = `select "id" from ${rows} order by "id" limit ${rowsPerSlice}`;
    const assignment = `update ${quote(table)} set ${quote(column)} = null`;
    const clear = `${assignment} where ${quote(organizationColumn)} = ${organization} and "id" in (${slice}) returning 1`;
    await inSlices(database, clear);
  }
}

/** @param counts gets what was removed added */
async function removeRows(
  features: readonly Feature[],
  database: Database,
  organization: number,
  counts: Map<string, number>,
): Promise<void> {
  await clearReferences(database, organization);
  for (const { table, key } of await ownedTables(features, database)) {
    const rows = organizationRows(table, organization);
    const slice = `select ${key} from ${rows} order by ${key} limit ${rowsPerSlice}`;
    const length = await inSlices(database, `delete from ${rows} and (${key}) in (${slice}) returning 1`);
    if (length > 0) counts.set(table, (counts.get(table) ?? 0) + length);
  }
}
