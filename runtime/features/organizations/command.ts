import { CliError } from '../../kernel/model/errors.ts';
import type { Database } from '../../migrations/types.ts';
import {
  countOwnedRows,
  createOrganization,
  deleteCommand,
  deleteOrganization,
  listOrganizations,
  type OwnedRows,
  renameOrganization,
  settleTime,
} from './organizations.ts';
import type { CommandContext } from '../../kernel/feature.ts';
import { chooseCommand, type Command, parseArguments } from '../../commands/arguments.ts';
import { withMigratedDatabase } from '../../commands/with-database.ts';
import { isHelperTable } from '../../migrations/own-tables.ts';

export const help = `Creates, lists, renames and deletes organizations, while servers use the database.

Usage:
  npm run organizations -- create NAME           creates an organization; \`npm run keys\` gives it keys
  npm run organizations -- list                  lists all, with the times of their creation
  npm run organizations -- rename NAME NEW_NAME  gives it another name; its keys and records stay
  npm run organizations -- delete NAME [--yes]   deletes it with its records and keys; without --yes only
                                                 counts them

Options:
  --help, -h  prints this
`;

type Run = (database: Database, context: CommandContext, names: readonly string[], yes: boolean) => Promise<void>;

/** How many names each command takes. */
const names = { create: 1, list: 0, rename: 2, delete: 1 } as const;

const programs: Readonly<Record<keyof typeof names, Run>> = {
  async create(database, { features, service }, [name = '']) {
    await createOrganization(features.list, database, service.tables, name);
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
  async delete(database, { features }, [name = ''], yes) {
    if (!yes) {
      print('Would be removed:', await countOwnedRows(features.list, database, name));
      throw new CliError(`Nothing was removed. \`${deleteCommand(name)}\` deletes the organization and its records.`);
    }
    const seconds = settleTime / 1_000;
    const onWait = (): void => console.log(`Waiting ${seconds} s for requests that were in flight …`);
    print('Removed:', await deleteOrganization(features.list, database, name, settleTime, onWait));
    console.log(`The organization ${name} is deleted.`);
  },
};

/**
 * Creates, lists, renames or deletes organizations, while servers use the database.
 *
 * @throws CliError that says what is wrong
 */
export async function run(context: CommandContext, [first, ...rest]: readonly string[]): Promise<void> {
  const name = chooseCommand(help, names, first);
  const options: Command['options'] = name === 'delete' ? { yes: { type: 'boolean' } } : {};
  const { values, positionals } = parseArguments({ help, options, names: [names[name], names[name]] }, rest);
  await withMigratedDatabase(context, name === 'list' ? 'read' : 'write', (database) =>
    programs[name](database, context, positionals, values['yes'] === true),
  );
}

/** Prints the number of rows of each table by name, and of the service's own tables together. */
function print(title: string, counts: OwnedRows): void {
  const lines = new Map<string, number>();
  for (const [table, count] of [...counts].toSorted(([a], [b]) => a.localeCompare(b))) {
    const what = isHelperTable(table) ? 'keys, webhooks and row counters' : table;
    lines.set(what, (lines.get(what) ?? 0) + count);
  }
  console.log(title);
  for (const [what, count] of lines) console.log(`  ${what}: ${count.toLocaleString('en')}`);
  if (lines.size === 0) console.log('  nothing');
}
