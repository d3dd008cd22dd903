import type { Records } from '../store/store.ts';
import type { TokenBucket } from './rate.ts';

/** Whom requests come from: an API key, of `API_KEYS` or of the key table. */
export interface Client {
  /** Tells it from the others; never the key itself. */
  readonly name: string;
  /** Of a key of the key table. */
  readonly keyId: string | undefined;
  readonly organization: number;
  readonly records: Records;
  readonly scopes: ReadonlySet<string>;
  /** Undefined if its rate is not limited. */
  readonly limit: TokenBucket | undefined;
}
