import type { Records } from '../records/store.ts';
import type { TokenBucket } from './rate.ts';

/** What the owner of a key can be told of it. */
interface AboutKey {
  /** The one that people gave it. */
  readonly name: string;
  /** The name of the organization. */
  readonly organization: string;
  /** ISO 8601 in UTC. */
  readonly expiresAt: string | null;
}

/** Whom requests come from: an API key, of `API_KEYS` or of the key table. */
export interface Client {
  /** Tells it from the others; never the key itself. */
  readonly name: string;
  /** Of a key of the key table. */
  readonly keyId: string | undefined;
  readonly organization: number;
  readonly about: AboutKey;
  readonly records: Records;
  readonly scopes: ReadonlySet<string>;
  /** Undefined if its rate is not limited. */
  readonly limit: TokenBucket | undefined;
}
