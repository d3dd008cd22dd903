import { UsageError } from '../model/errors.ts';
import { createKey, isActive, type ListedKey, listKeys, revokeKeys, rotateKey } from '../auth/administration.ts';
import { idOfKey, shownKey } from '../auth/format.ts';
import { parseRate, rateRule } from '../auth/rate.ts';
import { requireScopes, scopesOf } from '../auth/scopes.ts';
import { findOrganization } from '../auth/organizations.ts';
import type { Service } from '../api/service.ts';
import { chooseCommand, parseArguments, usageError } from './arguments.ts';
import { commands } from './descriptions.ts';
import { withMigratedDatabase } from './with-database.ts';

interface Arguments {
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly names: readonly string[];
}

const { create: creation } = commands.keys.commands;

const programs: Readonly<
  Record<keyof typeof commands.keys.commands, (service: Service, given: Arguments) => Promise<void>>
> = { create, list, revoke, rotate };

/**
 * Creates, lists, revokes or rotates API keys, while servers use the database.
 *
 * @throws CliError that says what is wrong; nothing is changed then
 */
export async function keys(service: Service, args: readonly string[]): Promise<void> {
  const { name, description, rest } = await chooseCommand(commands.keys, args);
  const { values, positionals } = await parseArguments(description, rest);
  await programs[name](service, { values, names: positionals });
}

async function create(service: Service, { values }: Arguments): Promise<void> {
  const { organization = 'main', expires = 'never' } = values;
  const name = String(values['name'] ?? '').trim();
  if (!/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(name)) {
    throw usageError(
      creation,
      '--name must have 1 to 100 characters without control characters: it says what the key is for.',
    );
  }
  const scopes = (values['scope'] ?? []) as string[];
  if (scopes.length === 0) throw usageError(creation, "--scope is missing: `--scope '*'` allows everything.");
  requireScopes(scopes, scopesOf(service.tables));
  const rate = (values['rate'] as string | undefined) ?? null;
  if (rate !== null && parseRate(rate) === undefined) {
    throw new UsageError(`--rate is ${JSON.stringify(rate)}; it must be ${rateRule}.`);
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
  const { overlap, expires } = values;
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
