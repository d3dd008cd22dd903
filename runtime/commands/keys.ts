import type { ParseArgsConfig } from 'node:util';
import { CliError } from '../errors.ts';
import { createKey, isActive, type ListedKey, listKeys, revokeKeys, rotateKey } from '../keys/administration.ts';
import { idOfKey, shownKey } from '../keys/format.ts';
import { parseRate, rateRule } from '../keys/rate.ts';
import { requireScopes, scopesOf } from '../keys/scopes.ts';
import { findOrganization } from '../organizations/organizations.ts';
import type { Service } from '../service.ts';
import { didYouMean } from '../suggest.ts';
import { parseArguments } from './arguments.ts';
import { withMigratedDatabase } from './with-database.ts';

const help = `Usage:
  npm run keys -- create --name NAME --scope SCOPE… [--organization NAME] [--expires DURATION] [--rate RATE]
  npm run keys -- list [--organization NAME] [--all]
  npm run keys -- revoke KEY…
  npm run keys -- rotate KEY [--overlap DURATION] [--expires DURATION]

create prints the key, which is shown only once. rotate creates a key like another one; both are valid for the overlap.

  --organization  whose records the key gives access to; default: main
  --scope         what it may do: * (everything), an area or a resource, like crm or crm/lead; with :read, :write or
                  :transition behind it only that. Can be given several times
  --expires       how long the key is valid, like 12h, 90d or 52w, or never; default: never, for rotate as the old key was
  --rate          the requests that it may make, like 600/m, or off; default: RATE_LIMIT of the server
  --overlap       how long the old key stays valid; default: 24h
  --all           also keys that are revoked or have expired

KEY is the beginning of a key, like s2s_4fQ0cXb91Z.`;

const usage = '`npm run keys -- --help` says how.';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

interface Arguments {
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly names: readonly string[];
}

interface Subcommand {
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** The fewest and the most keys that it takes. */
  readonly names: readonly [min: number, max: number];
  readonly run: (service: Service, given: Arguments) => Promise<void>;
}

const subcommands: Readonly<Record<string, Subcommand>> = {
  create: {
    options: { name: text, scope: { ...text, multiple: true }, organization: text, expires: text, rate: text },
    names: [0, 0],
    run: create,
  },
  list: { options: { organization: text, all: flag }, names: [0, 0], run: list },
  revoke: { options: {}, names: [1, Infinity], run: revoke },
  rotate: { options: { overlap: text, expires: text }, names: [1, 1], run: rotate },
};

/**
 * Creates, lists, revokes or rotates API keys, while servers use the database.
 *
 * @throws CliError that says what is wrong; nothing is changed then
 */
export async function keys(service: Service, args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) return console.log(help);
  const [name = '', ...rest] = args;
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (!subcommand) {
    const hint = didYouMean(name, Object.keys(subcommands)) || '.';
    throw new CliError(name === '' ? help : `There is no command ${JSON.stringify(name)}${hint} ${usage}`);
  }
  const { options, names } = subcommand;
  const { values, positionals } = parseArguments(usage, { args: rest, options, allowPositionals: true });
  const [min, max] = names;
  if (positionals.length < min || positionals.length > max) {
    const count = max === 0 ? 'no key' : max === 1 ? 'one key' : 'the keys to revoke';
    throw new CliError(`${name} takes ${count}. ${usage}`);
  }
  await subcommand.run(service, { values, names: positionals });
}

async function create(service: Service, { values }: Arguments): Promise<void> {
  const { organization = 'main', expires = 'never' } = values;
  const name = String(values['name'] ?? '').trim();
  if (!/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(name)) {
    throw new CliError(
      `--name must have 1 to 100 characters without control characters: it says what the key is for. ${usage}`,
    );
  }
  const scopes = (values['scope'] ?? []) as string[];
  if (scopes.length === 0) throw new CliError(`--scope is missing: \`--scope '*'\` allows everything. ${usage}`);
  requireScopes(scopes, scopesOf(service));
  const rate = (values['rate'] as string | undefined) ?? null;
  if (rate !== null && parseRate(rate) === undefined) {
    throw new CliError(`--rate is ${JSON.stringify(rate)}; it must be ${rateRule}.`);
  }
  const lifetime = durationOf('--expires', String(expires));
  const options = { organization: String(organization), name, scopes: scopes.join(' '), rate, lifetime };
  const { key, expiresAt } = await withMigratedDatabase(service, 'write', (database) => createKey(database, options));
  console.error(
    `A key of ${options.organization} for ${options.scopes}, valid ${until(expiresAt)}. It is not shown again:`,
  );
  console.log(key);
}

async function list(service: Service, { values }: Arguments): Promise<void> {
  const { organization, all = false } = values;
  const found = await withMigratedDatabase(service, 'read', async (database) => {
    if (organization !== undefined) await findOrganization(database, String(organization));
    return listKeys(database);
  });
  const wanted = found.filter((key) => organization === undefined || key.organization === organization);
  const shown = wanted.filter((key) => all || isActive(key));
  if (shown.length > 0) printTable([headings, ...shown.map(cellsOf)]);
  const hidden = wanted.length - shown.length;
  if (hidden > 0) console.error(`${hidden} that ${hidden === 1 ? 'is' : 'are'} revoked or expired: --all.`);
  else if (shown.length === 0) console.error('There are no keys in the database. Those of API_KEYS are not in it.');
}

async function revoke(service: Service, { names }: Arguments): Promise<void> {
  const revoked = await withMigratedDatabase(service, 'write', (database) => revokeKeys(database, names));
  for (const { id, organization, name } of revoked) {
    console.log(`Revoked ${shownKey(id)} (${name}, of ${organization}). Servers refuse it within a second.`);
  }
  if (revoked.length === 0) console.log('Nothing to do: revoked before.');
}

async function rotate(service: Service, { values, names }: Arguments): Promise<void> {
  const { overlap = '24h', expires } = values;
  const kept = durationOf('--overlap', String(overlap), 0) ?? fail('--overlap', 'never');
  const lifetime = expires === undefined ? undefined : durationOf('--expires', String(expires));
  const { created, old } = await withMigratedDatabase(service, 'write', (database) =>
    rotateKey(database, names[0] as string, kept, lifetime),
  );
  console.error(
    `${shownKey(idOfKey(created.key) as string)}, valid ${until(created.expiresAt)}, takes the place of ` +
      `${shownKey(old.id)} (${old.name}, of ${old.organization}), which is valid ${until(old.expiresAt)}. ` +
      'It is not shown again:',
  );
  console.log(created.key);
}

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** No key is given a longer life than a person. */
const maxDuration = 100 * 366 * 86_400;

/** Milliseconds; null for `never`. @throws CliError if it is no duration */
function durationOf(option: string, duration: string, min = 1): number | null {
  if (duration === 'never') return null;
  const [, number, unit = ''] = /^(\d{1,10})([smhdw])$/.exec(duration) ?? fail(option, duration);
  const length = Number(number) * (seconds[unit] as number);
  if (length < min || length > maxDuration) fail(option, duration);
  return length * 1_000;
}

function fail(option: string, duration: string): never {
  const never = option === '--expires' ? ', or never' : '';
  throw new CliError(
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

/** To the minute, in UTC. */
const shownTime = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)}Z`;

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length)));
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] as number))
        .join('  ')
        .trimEnd(),
    );
  }
}
