import { UsageError } from '../../kernel/model/errors.ts';
import { createKey, isActive, type ListedKey, listKeys, revokeKeys, rotateKey } from './administration.ts';
import { idOfKey, shownKey } from './format.ts';
import { parseRate, rateRule } from './rate.ts';
import { requireScopes, scopesOf } from './scopes.ts';
import type { CommandContext } from '../../kernel/feature.ts';
import { chooseCommand, type Command, type Given, parseArguments, usageError } from '../../commands/arguments.ts';
import { day, second } from '../../kernel/values/time.ts';
import { printTable, shownTime } from '../../commands/print-table.ts';
import { withMigratedDatabase } from '../../commands/with-database.ts';

export const help = `Creates, lists, revokes and rotates API keys, while servers use the database.

Usage:
  npm run keys -- create --name NAME --scope SCOPE… [options]
                                       creates a key and prints it; it is shown only once
  npm run keys -- list [--all]         lists the keys of the database that are valid; with --all also those that
                                       are revoked or have expired
  npm run keys -- revoke KEY…          revokes keys; servers refuse them within a second
  npm run keys -- rotate KEY [options] creates a key like another one, and prints it; both are valid for
                                       the overlap

KEY is the beginning of a key, like s2s_4fQ0cXb91Z. A DURATION is like 12h, 90d or 52w (s, m, h, d, w).

Options of create:
  --name NAME          what the key is for
  --scope SCOPE        what it may do: * (everything), an area or a resource, like crm or crm/lead; with
                       :read, :write or :transition behind it only that; can be given several times
  --organization NAME  whose records it gives access to (default: main)
  --expires DURATION   how long it is valid, or never (default: never)
  --rate RATE          the requests that it may make, like 600/m, or off (default: RATE_LIMIT of the server)

Options of rotate:
  --overlap DURATION  how long the old key stays valid (default: 24h)
  --expires DURATION  how long the new key is valid, or never (default: as long as the old one was)

Options:
  --help, -h  prints this

Examples:
  npm run keys -- create --name 'Web shop' --scope crm --scope support/issue:read
  npm run keys -- rotate s2s_4fQ0cXb91Z --overlap 7d
`;

const text = { type: 'string' } as const;

const commands = {
  create: {
    help,
    options: {
      name: text,
      scope: { ...text, multiple: true },
      organization: { ...text, default: 'main' },
      expires: { ...text, default: 'never' },
      rate: text,
    },
  },
  list: { help, options: { all: { type: 'boolean', default: false } } },
  revoke: { help, names: [1, Infinity] },
  rotate: { help, options: { overlap: { ...text, default: '24h' }, expires: text }, names: [1, 1] },
} as const satisfies Readonly<Record<string, Command>>;

/**
 * Creates, lists, revokes or rotates API keys, while servers use the database.
 *
 * @throws CliError that says what is wrong; nothing is changed then
 */
export async function run(context: CommandContext, [first, ...rest]: readonly string[]): Promise<void> {
  const name = chooseCommand(help, commands, first);
  if (name === 'create') await create(context, parseArguments(commands.create, rest));
  else if (name === 'list') await list(context, parseArguments(commands.list, rest));
  else if (name === 'revoke') await revoke(context, parseArguments(commands.revoke, rest));
  else await rotate(context, parseArguments(commands.rotate, rest));
}

async function create(context: CommandContext, { values }: Given<typeof commands.create>): Promise<void> {
  const { organization, scope: scopes = [], rate = null } = values;
  const name = (values.name ?? '').trim();
  if (!/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(name)) {
    throw usageError(
      help,
      '--name must have 1 to 100 characters without control characters: it says what the key is for.',
    );
  }
  if (scopes.length === 0) throw usageError(help, "--scope is missing: `--scope '*'` allows everything.");
  requireScopes(scopes, scopesOf(context.service.tables));
  if (rate !== null && parseRate(rate) === undefined) {
    throw new UsageError(`--rate is ${JSON.stringify(rate)}; it must be ${rateRule}.`);
  }
  const lifetime = durationOf('--expires', values.expires);
  const options = { organization, name, scopes: scopes.join(' '), rate, lifetime };
  const { key, expiresAt } = await withMigratedDatabase(context, 'write', (database) => createKey(database, options));
  console.error(
    `A key of ${options.organization} for ${scopes.join(', ')}, valid ${until(expiresAt)}. It is not shown again:`,
  );
  console.log(key);
}

async function list(context: CommandContext, { values }: Given<typeof commands.list>): Promise<void> {
  const found = await withMigratedDatabase(context, 'read', listKeys);
  const shown = found.filter((key) => values.all || isActive(key));
  if (shown.length > 0) printTable([headings, ...shown.map(cellsOf)]);
  const hidden = found.length - shown.length;
  if (hidden > 0) console.error(`${hidden} that ${hidden === 1 ? 'is' : 'are'} revoked or expired: --all.`);
  else if (shown.length === 0)
    console.error('There are no keys in the database. Those of API_KEYS and of the file api-key are not in it.');
}

async function revoke(context: CommandContext, { positionals }: Given<typeof commands.revoke>): Promise<void> {
  const revoked = await withMigratedDatabase(context, 'write', (database) => revokeKeys(database, positionals));
  for (const { id, organization, name } of revoked) {
    console.log(`Revoked ${shownKey(id)} (${name}, of ${organization}). Servers refuse it within a second.`);
  }
  if (revoked.length === 0) console.log('Nothing to do: revoked before.');
}

async function rotate(context: CommandContext, { values, positionals }: Given<typeof commands.rotate>): Promise<void> {
  const { overlap, expires } = values;
  const kept = durationOf('--overlap', overlap, 0) ?? fail('--overlap', 'never');
  const lifetime = expires === undefined ? undefined : durationOf('--expires', expires);
  const { created, old } = await withMigratedDatabase(context, 'write', (database) =>
    rotateKey(database, positionals[0] as string, kept, lifetime),
  );
  console.error(
    `${shownKey(idOfKey(created.key) as string)}, valid ${until(created.expiresAt)}, takes the place of ` +
      `${shownKey(old.id)} (${old.name}, of ${old.organization}), which is valid ${until(old.expiresAt)}. ` +
      'It is not shown again:',
  );
  console.log(created.key);
}

/** Seconds for which a key is valid at most: no key is given a longer life than a person. */
const maxKeyLife = (100 * 366 * day) / second;

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Milliseconds; null for `never`. @throws CliError if it is no duration */
function durationOf(option: string, duration: string, min = 1): number | null {
  if (duration === 'never') return null;
  const [, number, unit = ''] = /^(\d{1,10})([smhdw])$/.exec(duration) ?? fail(option, duration);
  const length = Number(number) * (seconds[unit] as number);
  if (length < min || length > maxKeyLife) fail(option, duration);
  return length * 1_000;
}

function fail(option: string, duration: string): never {
  const never = option === '--expires' ? ', or never' : '';
  throw new UsageError(
    `${option} is ${JSON.stringify(duration)}; it must be a number and s, m, h, d or w (seconds to weeks), like 12h or 90d, ` +
      `at most 100 years${never}.`,
  );
}

const headings = ['KEY', 'ORGANIZATION', 'NAME', 'SCOPES', 'RATE', 'CREATED', 'LAST USED', 'STATE'];

const cellsOf = (key: ListedKey): string[] => [
  shownKey(key.id),
  key.organization,
  key.name,
  key.scopes,
  key.rate ?? 'default',
  shownTime(key.createdAt),
  key.lastUsedAt === null ? 'never' : shownTime(key.lastUsedAt),
  stateOf(key),
];

function stateOf(key: ListedKey): string {
  if (key.revokedAt !== null) return `revoked ${shownTime(key.revokedAt)}`;
  return isActive(key) ? `valid ${until(key.expiresAt)}` : `expired ${shownTime(key.expiresAt as string)}`;
}

const until = (time: string | null): string => (time === null ? 'until it is revoked' : `until ${shownTime(time)}`);
