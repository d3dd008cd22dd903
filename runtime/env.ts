import type { HttpBindings } from '@hono/node-server';
import type { Store } from './store/store.ts';

/** What every route can reach. */
export interface Env {
  Bindings: HttpBindings & { store: Store };
}
