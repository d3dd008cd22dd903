import type { KeyUse, StoredKey } from '../records/store.ts';
import { quote } from './schema.ts';
import { apiKeys, organizationColumn, organizations } from './helper-tables.ts';
import type { Row, Statement } from './types.ts';
import type { QueryDialect } from './query-dialect.ts';

/** Selects API keys with the names of their organizations. @returns rows for `storedKeyOf` */
export function selectKeys(dialect: QueryDialect, ids: readonly string[]): Statement {
  const id = dialect.parameter(1);
  // One alone costs half as much.
  const isAsked = ids.length === 1 ? `= ${id}` : `in (select _given."id" from ${dialect.given(id, 'at', 'text')})`;
  const text =
    `select _key."id", _owner."id", _owner."name", _key."name", "digest", "scopes", "rate", "expires_at", "revoked_at" ` +
    `from ${quote(apiKeys)} as _key join ${quote(organizations)} as _owner on _owner."id" = _key.${quote(organizationColumn)} ` +
    `where _key."id" ${isAsked}`;
  return { text, values: [ids.length === 1 ? (ids[0] as string) : JSON.stringify(ids.map((one) => ({ id: one })))] };
}

export const updateUses = (dialect: QueryDialect, used: readonly KeyUse[]): Statement => ({
  text:
    `update ${quote(apiKeys)} set "last_used_at" = _given."at" from ${dialect.given(dialect.parameter(1), 'at', 'text')} ` +
    `where ${quote(apiKeys)}."id" = _given."id" ` +
    `and coalesce(${quote(apiKeys)}."last_used_at" < _given."at", true)`,
  values: [JSON.stringify(used)],
});

export function storedKeyOf(row: Row): StoredKey {
  const [id, organization, organizationName, name, digest, scopes, rate, expiresAt, revokedAt] = row as string[];
  const key = { id, organizationName, name, digest, scopes, rate, expiresAt, revokedAt };
  return { ...key, organization: Number(organization) } as StoredKey;
}
