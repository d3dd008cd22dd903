import { CliError } from '../errors.ts';
import type { Database } from '../migrate/driver.ts';
import {
  createOrganization,
  deleteCommand,
  listOrganizations,
  renameOrganization,
} from '../organizations/organizations.ts';
import { countOwnedRows, deleteOrganization, type RowCounts, settleTime } from '../organizations/removal.ts';
import type { Table } from '../schema/table.ts';
import type { Service } from '../service.ts';
import { isHelperTable } from '../store/ddl.ts';
import { didYouMean } from '../suggest.ts';
import { parseArguments } from './arguments.ts';
import { withMigratedDatabase } from './with-database.ts';

const usage = 'Usage: npm run organizations -- create NAME | list | rename NAME NEW_NAME | delete NAME --yes';

interface Subcommand {
  /** The number of names that it takes. */
  readonly names: number;
  readonly run: (database: Database, tables: readonly Table[], names: readonly string[], yes: boolean) => Promise<void>;
}

const subcommands: Readonly<Record<string, Subcommand>> = {
  create: {
    names: 1,
    async run(database, tables, [name = '']) {
      await createOrganization(database, tables, name);
      console.log(`Created the organization ${name}.`);
    },
  },
  list: {
    names: 0,
    async run(database) {
      for (const { name, createdAt, deletedAt } of await listOrganizations(database)) {
        const words = [name, createdAt, deletedAt === null ? undefined : `being deleted since ${deletedAt}`];
        console.log(words.filter(Boolean).join('  '));
      }
    },
  },
  rename: {
    names: 2,
    async run(database, _, [name = '', newName = '']) {
      await renameOrganization(database, name, newName);
      console.log(`The organization ${name} is ${newName} now.`);
    },
  },
  delete: {
    names: 1,
    async run(database, _, [name = ''], yes) {
      if (!yes) {
        print('Would be removed:', await countOwnedRows(database, name));
        throw new CliError(`Nothing was removed. \`${deleteCommand(name)}\` deletes the organization and its records.`);
      }
      const seconds = settleTime / 1_000;
      const onWait = (): void => console.log(`Waiting ${seconds} s for requests that were in flight …`);
      print('Removed:', await deleteOrganization(database, name, settleTime, onWait));
      console.log(`The organization ${name} is deleted.`);
    },
  },
};

/**
 * Creates, lists, renames or deletes organizations, while servers use the database.
 *
 * @throws CliError that says what is wrong
 */
export async function organizations(service: Service, args: readonly string[]): Promise<void> {
  const options = { yes: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArguments(usage, { args, options, allowPositionals: true });
  const [command = '', ...names] = positionals;
  const subcommand = Object.hasOwn(subcommands, command) ? subcommands[command] : undefined;
  if (!subcommand) {
    const hint = didYouMean(command, Object.keys(subcommands)) || '.';
    throw new CliError(command === '' ? usage : `There is no command ${JSON.stringify(command)}${hint} ${usage}`);
  }
  if (names.length !== subcommand.names) {
    throw new CliError(`${command} takes ${['no name', 'one name', 'two names'][subcommand.names]}. ${usage}`);
  }
  if (values.yes && command !== 'delete') throw new CliError(`Only delete takes --yes. ${usage}`);
  await withMigratedDatabase(service, command === 'list' ? 'read' : 'write', (database) =>
    subcommand.run(database, service.tables, names, values.yes),
  );
}

/** Prints the number of rows of each table, and of the service's own tables together. */
function print(title: string, counts: RowCounts): void {
  const lines = new Map<string, number>();
  for (const [table, count] of counts) {
    const what = isHelperTable(table) ? 'keys and row counters' : table;
    lines.set(what, (lines.get(what) ?? 0) + count);
  }
  console.log(title);
  for (const [what, count] of lines) console.log(`  ${what}: ${count.toLocaleString('en')}`);
  if (lines.size === 0) console.log('  nothing');
}
