import { CliError } from '../../kernel/model/errors.ts';
import type { Database } from '../../migrations/types.ts';
import { transact } from '../../migrations/transact.ts';
import { changeOrganizations, liveOrganization } from '../organizations/organizations.ts';
import { literal, organizationColumn, organizations, quote } from '../../kernel/sql/schema.ts';
import { apiKeys } from './key-table.ts';
import { didYouMean } from '../../kernel/model/suggest.ts';
import { idNamed, newKey, shownKey } from './format.ts';

/** An API key as lists show it. Times are ISO 8601 in UTC. */
export interface ListedKey {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  /** Separated by spaces. */
  readonly scopes: string;
  /** Null for the default of the servers. */
  readonly rate: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

interface KeyOptions extends Pick<ListedKey, 'organization' | 'name' | 'scopes' | 'rate'> {
  /** Milliseconds; null for a key that does not expire. */
  readonly lifetime: number | null;
}

/** A key that was created: it is stored nowhere. */
interface CreatedKey {
  readonly key: string;
  readonly expiresAt: string | null;
}

const table = quote(apiKeys);

/** All keys, those of one organization after those of another, in the order of their creation. */
export async function listKeys(database: Database): Promise<ListedKey[]> {
  const rows = await database.query(
    'select _key."id", _owner."name", _key."name", "scopes", "rate", _key."created_at", "expires_at", "revoked_at", "last_used_at" ' +
      `from ${table} as _key join ${quote(organizations)} as _owner on _owner."id" = _key.${quote(organizationColumn)} ` +
      'order by _owner."id", _key."created_at", _key."id"',
  );
  return rows.map((row) => {
    const [id, organization, name, scopes, rate, createdAt, expiresAt, revokedAt, lastUsedAt] = row as string[];
    return { id, organization, name, scopes, rate, createdAt, expiresAt, revokedAt, lastUsedAt } as ListedKey;
  });
}

/** Whether servers take a key. */
export const isActive = ({ revokedAt, expiresAt }: ListedKey): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > timeIn(0));

/** Creates a key. @throws CliError if there is no such organization */
export const createKey = (database: Database, options: KeyOptions): Promise<CreatedKey> =>
  // No organization is deleted meanwhile.
  changeOrganizations(database, () => insertKey(database, options));

async function insertKey(
  database: Database,
  { organization, name, scopes, rate, lifetime }: KeyOptions,
): Promise<CreatedKey> {
  const owner = await liveOrganization(database, organization);
  const { id, key, digest } = newKey();
  const now = Date.now();
  const expiresAt = lifetime === null ? null : timeIn(lifetime, now);
  const values = [id, owner.id, digest, name, scopes, rate, timeIn(0, now), expiresAt, null, null];
  await database.query(`insert into ${table} values (${values.map(literal).join(', ')})`);
  return { key, expiresAt };
}

/** The time in some milliseconds. */
const timeIn = (milliseconds: number, now = Date.now()): string => new Date(now + milliseconds).toISOString();

/**
 * Revokes keys, all or none.
 *
 * @param names ids, or keys
 * @returns those that were revoked now: others were revoked before
 * @throws CliError if there is no such key
 */
export const revokeKeys = (database: Database, names: readonly string[]): Promise<ListedKey[]> =>
  transact(database, async () => {
    const all = await listKeys(database);
    const keys = names.map((name) => keyNamed(all, name)).filter(({ revokedAt }) => revokedAt === null);
    for (const { id } of keys) await change(database, id, 'revoked_at', timeIn(0));
    return keys;
  });

/**
 * Creates a key like another one, which stays valid until a time, unless it expires before.
 *
 * @param name an id, or the key
 * @param overlap milliseconds for which the old key stays valid
 * @param lifetime of the new key, as in `createKey`; undefined for that of the old one
 * @throws CliError if there is no such key, or it is not valid
 */
export const rotateKey = (
  database: Database,
  name: string,
  overlap: number,
  lifetime?: number | null,
): Promise<{ readonly created: CreatedKey; readonly old: ListedKey }> =>
  changeOrganizations(database, async () => {
    const old = keyNamed(await listKeys(database), name);
    if (!isActive(old)) {
      const state = old.revokedAt === null ? 'has expired' : 'is revoked';
      throw new CliError(`The key ${shownKey(old.id)} ${state}. Create another one.`);
    }
    const former = old.expiresAt === null ? null : Date.parse(old.expiresAt) - Date.parse(old.createdAt);
    const created = await insertKey(database, { ...old, lifetime: lifetime === undefined ? former : lifetime });
    const end = timeIn(overlap);
    const expiresAt = old.expiresAt === null || end < old.expiresAt ? end : old.expiresAt;
    await change(database, old.id, 'expires_at', expiresAt);
    return { created, old: { ...old, expiresAt } };
  });

const change = (database: Database, id: string, column: string, time: string): Promise<unknown> =>
  database.query(`update ${table} set ${quote(column)} = ${literal(time)} where "id" = ${literal(id)}`);

function keyNamed(keys: readonly ListedKey[], name: string): ListedKey {
  const id = idNamed(name);
  const found = keys.find((key) => key.id === id);
  if (found) return found;
  const ids = keys.map((key) => key.id);
  const hint = didYouMean(id, ids).replace('"', `"${shownKey('')}`);
  throw new CliError(`There is no key ${shownKey(id)}${hint || '.'} \`npm run keys -- list --all\` lists them.`);
}
