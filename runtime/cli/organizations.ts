import { CliError } from '../model/errors.ts';
import type { Database } from '../migrations/driver.ts';
import { createOrganization, deleteCommand, listOrganizations, renameOrganization } from '../auth/organizations.ts';
import { countOwnedRows, deleteOrganization, type RemovedRows, settleTime } from '../auth/removal.ts';
import type { Table } from '../model/table.ts';
import type { Service } from '../api/service.ts';
import { isHelperTable } from '../sql/schema.ts';
import { chooseCommand, parseArguments } from './arguments.ts';
import { commands } from './descriptions.ts';
import { withMigratedDatabase } from './with-database.ts';

type Run = (database: Database, tables: readonly Table[], names: readonly string[], yes: boolean) => Promise<void>;

const programs: Readonly<Record<keyof typeof commands.organizations.commands, Run>> = {
  async create(database, tables, [name = '']) {
    await createOrganization(database, tables, name);
    console.log(`Created the organization ${name}.`);
  },
  async list(database) {
    for (const { name, createdAt, deletedAt } of await listOrganizations(database)) {
      const words = [name, createdAt, deletedAt === null ? undefined : `being deleted since ${deletedAt}`];
      console.log(words.filter(Boolean).join('  '));
    }
  },
  async rename(database, _, [name = '', newName = '']) {
    await renameOrganization(database, name, newName);
    console.log(`The organization ${name} is ${newName} now.`);
  },
  async delete(database, _, [name = ''], yes) {
    if (!yes) {
      print('Would be removed:', await countOwnedRows(database, name));
      throw new CliError(`Nothing was removed. \`${deleteCommand(name)}\` deletes the organization and its records.`);
    }
    const seconds = settleTime / 1_000;
    const onWait = (): void => console.log(`Waiting ${seconds} s for requests that were in flight …`);
    print('Removed:', await deleteOrganization(database, name, settleTime, onWait));
    console.log(`The organization ${name} is deleted.`);
  },
};

/**
 * Creates, lists, renames or deletes organizations, while servers use the database.
 *
 * @throws CliError that says what is wrong
 */
export async function organizations(service: Service, args: readonly string[]): Promise<void> {
  const { name, description, rest } = await chooseCommand(commands.organizations, args);
  const { values, positionals } = await parseArguments(description, rest);
  await withMigratedDatabase(service, name === 'list' ? 'read' : 'write', (database) =>
    programs[name](database, service.tables, positionals, values['yes'] === true),
  );
}

/** Prints the number of rows of each table, and of the service's own tables together. */
function print(title: string, counts: RemovedRows): void {
  const lines = new Map<string, number>();
  for (const [table, count] of counts) {
    const what = isHelperTable(table) ? 'keys and row counters' : table;
    lines.set(what, (lines.get(what) ?? 0) + count);
  }
  console.log(title);
  for (const [what, count] of lines) console.log(`  ${what}: ${count.toLocaleString('en')}`);
  if (lines.size === 0) console.log('  nothing');
}
