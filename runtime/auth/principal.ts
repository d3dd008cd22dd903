import type { Records } from '../records/store.ts';
import type { TokenBucket } from './rate.ts';

/** The description of a key for its owner. */
interface AboutKey {
  /** The name that an administrator gave it. */
  readonly name: string;
  /** The name of the organization. */
  readonly organization: string;
  /** ISO 8601 in UTC. */
  readonly expiresAt: string | null;
}

/** The holder of an API key, of `API_KEYS` or of the key table. */
export interface Principal {
  /** Tells it from the others; never the key itself. */
  readonly name: string;
  /** The id in the key table; undefined for a key of `API_KEYS`. */
  readonly keyId: string | undefined;
  readonly organization: number;
  readonly about: AboutKey;
  readonly records: Records;
  readonly scopes: ReadonlySet<string>;
  /** Undefined if its rate is not limited. */
  readonly limit: TokenBucket | undefined;
}
