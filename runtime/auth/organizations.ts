import { CliError, UsageError } from '../model/errors.ts';
import { type Database, insertSingleton, transact } from '../migrations/driver.ts';
import type { Table } from '../model/table.ts';
import { keysChanged, literal, mainOrganization, organizations, quote } from '../sql/schema.ts';
import { didYouMean } from '../model/suggest.ts';

export interface Organization {
  readonly id: number;
  readonly name: string;
  /** Unknown of `main`. */
  readonly createdAt: string | null;
  /** When its deletion began, which can be run again until it has ended. */
  readonly deletedAt: string | null;
}

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
export async function createOrganization(database: Database, tables: readonly Table[], name: string): Promise<void> {
  requireName(name);
  await changeOrganizations(database, async () => {
    await requireFree(database, name);
    const table = quote(organizations);
    const [[id] = []] = await database.query(`select max("id") + 1 from ${table}`);
    const organization = Number(id);
    const created = literal(new Date().toISOString());
    await database.query(`insert into ${table} values (${organization}, ${literal(name)}, ${created}, null)`);
    for (const singleton of tables) {
      if (singleton.kind === 'singleton') await database.query(insertSingleton(singleton, organization));
    }
  });
}

/** @throws CliError if there is no such organization, or the new name is not valid or in use */
export async function renameOrganization(database: Database, name: string, newName: string): Promise<void> {
  requireName(newName);
  await changeOrganizations(database, async () => {
    const { id } = await liveOrganization(database, name);
    if (id === mainOrganization) throw new CliError(`${name} is the organization of API_KEYS, and keeps its name.`);
    await requireFree(database, newName);
    await database.query(`update ${quote(organizations)} set "name" = ${literal(newName)} where "id" = ${id}`);
    // Servers know it with each key.
    await database.query(keysChanged);
  });
}

/** Runs `work` in a transaction while no other one changes organizations. */
export const changeOrganizations = <T>(database: Database, work: () => Promise<T>): Promise<T> =>
  transact(database, async () => {
    // The row is locked, and later statements see what others have committed.
    await database.query(`update ${quote(organizations)} set "name" = "name" where "id" = ${mainOrganization}`);
    return work();
  });

function requireName(name: string): void {
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) return;
  throw new UsageError(
    `The name ${JSON.stringify(name)} is not valid: it must have 1 to 63 characters, each a lower-case letter, a digit ` +
      'or a hyphen, and begin with a letter or a digit.',
  );
}

async function requireFree(database: Database, name: string): Promise<void> {
  const all = await listOrganizations(database);
  if (!all.some((one) => one.name === name)) return;
  // Says so if it is being deleted.
  await liveOrganization(database, name);
  throw new CliError(`There is already an organization ${name}.`);
}
