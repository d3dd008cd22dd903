import type { Store } from '../../kernel/records/store.ts';
import { organizationColumn, organizations, quote } from '../../kernel/sql/schema.ts';
import type { Row, Statement } from '../../kernel/sql/types.ts';
import type { QueryDialect } from '../../kernel/sql/query-dialect.ts';
import type { OwnTable } from '../../migrations/own-tables.ts';

/** The table of the API keys: of each its digest, never the key itself. */
export const apiKeys = '_api_key';

/** Found by its id. Scopes are separated by spaces, and times are in UTC. */
export const apiKeyTable: OwnTable = {
  name: apiKeys,
  statements: [
    `create table ${quote(apiKeys)} (
  "id" text not null primary key,
  ${quote(organizationColumn)} bigint not null,
  "digest" text not null,
  "name" text not null,
  "scopes" text not null,
  "rate" text,
  "created_at" text not null,
  "expires_at" text,
  "revoked_at" text,
  "last_used_at" text
)`,
  ],
};

/** The API keys in the database. Every method throws ApiError `unavailable` or `overloaded` as those of `Records` do. */
export interface KeyTable {
  /** The keys with these ids, also those that are revoked or have expired. */
  find(ids: readonly string[]): Promise<readonly StoredKey[]>;
  /** Notes when keys were last used, unless something later is noted. */
  noteUses(uses: readonly KeyUse[]): Promise<void>;
}

/** An API key. Times are ISO 8601 in UTC. */
export interface StoredKey {
  readonly id: string;
  readonly organization: number;
  readonly organizationName: string;
  /** For people. */
  readonly name: string;
  /** The SHA-256 of the key, in hexadecimal. */
  readonly digest: string;
  /** Separated by spaces. */
  readonly scopes: string;
  /** As `parseRate` takes it; null for the default. */
  readonly rate: string | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

export interface KeyUse {
  readonly id: string;
  readonly at: string;
}

/** The key table of a store. */
export const keyTable = (store: Pick<Store, 'rows' | 'execute'>): KeyTable => ({
  find: async (ids) => (await store.rows((dialect) => selectKeys(dialect, ids))).map(storedKeyOf),
  noteUses: (uses) => store.execute((dialect) => updateUses(dialect, uses)),
});

/** Selects API keys with the names of their organizations. @returns rows for `storedKeyOf` */
function selectKeys(dialect: QueryDialect, ids: readonly string[]): Statement {
  const id = dialect.parameter(1);
  // One alone costs half as much.
  const isAsked = ids.length === 1 ? `= ${id}` : `in (select _given."id" from ${dialect.given(id, 'at', 'text')})`;
  const text =
    `select _key."id", _owner."id", _owner."name", _key."name", "digest", "scopes", "rate", "expires_at", "revoked_at" ` +
    `from ${quote(apiKeys)} as _key join ${quote(organizations)} as _owner on _owner."id" = _key.${quote(organizationColumn)} ` +
    `where _key."id" ${isAsked}`;
  return { text, values: [ids.length === 1 ? (ids[0] as string) : JSON.stringify(ids.map((one) => ({ id: one })))] };
}

const updateUses = (dialect: QueryDialect, used: readonly KeyUse[]): Statement => ({
  text:
    `update ${quote(apiKeys)} set "last_used_at" = _given."at" from ${dialect.given(dialect.parameter(1), 'at', 'text')} ` +
    `where ${quote(apiKeys)}."id" = _given."id" ` +
    `and coalesce(${quote(apiKeys)}."last_used_at" < _given."at", true)`,
  values: [JSON.stringify(used)],
});

function storedKeyOf(row: Row): StoredKey {
  const [id, organization, organizationName, name, digest, scopes, rate, expiresAt, revokedAt] = row as string[];
  const key = { id, organizationName, name, digest, scopes, rate, expiresAt, revokedAt };
  return { ...key, organization: Number(organization) } as StoredKey;
}
