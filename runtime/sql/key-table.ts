import { apiKeys, apiKeyVersion, organizationColumn, organizations, quote } from './schema.ts';
import type { Statement } from './table-sql.ts';
import type { KeyUse, StoredKey } from '../records/store.ts';
import type { Row } from './steps.ts';

/** The parts of the statements on API keys that differ between engines. */
export interface KeyDialect {
  /** A relation `_use` of `id` and `at`, built from the first parameter, which is a JSON array of objects. */
  readonly uses: string;
}

const columns = ['id', organizationColumn, 'digest', 'name', 'scopes', 'rate', 'expires_at', 'revoked_at'];

export const selectKeyVersion: Statement = {
  text: `select "version" from ${quote(apiKeyVersion)} where "id" = 1`,
  values: [],
};

/** @returns rows for `keyOf` */
export const selectKeys = ({ uses }: KeyDialect, ids: readonly string[]): Statement => ({
  text:
    `select ${columns.map((column) => `_key.${quote(column)}`).join(', ')}, _owner."name" from ${quote(apiKeys)} as _key ` +
    `left join ${quote(organizations)} as _owner on _owner."id" = _key.${quote(organizationColumn)} ` +
    `where _key."id" in (select _use."id" from ${uses})`,
  values: [JSON.stringify(ids.map((id) => ({ id })))],
});

export const updateUses = ({ uses }: KeyDialect, used: readonly KeyUse[]): Statement => ({
  text:
    `update ${quote(apiKeys)} set "last_used_at" = _use."at" from ${uses} where ${quote(apiKeys)}."id" = _use."id" ` +
    `and coalesce(${quote(apiKeys)}."last_used_at" < _use."at", true)`,
  values: [JSON.stringify(used)],
});

export function keyOf(row: Row): StoredKey {
  const [id, organization, digest, name, scopes, rate, expiresAt, revokedAt, owner] = row as (string | null)[];
  return {
    id: String(id),
    organization: Number(organization),
    organizationName: owner ?? '',
    name: String(name),
    digest: String(digest),
    scopes: String(scopes),
    rate: rate as string | null,
    expiresAt: expiresAt as string | null,
    revokedAt: revokedAt as string | null,
  };
}
