import type { Engine } from '../bench/databases/database.ts';
import type { Contents } from './contents.ts';
import type { Target } from './target.ts';

/** Something that one client does to the others. */
export interface Attack {
  /** The name for `--only`, of lower-case words and hyphens. */
  readonly name: string;
  /** The attack, in a line. */
  readonly what: string;
  /** Without it: leads. */
  readonly contents?: Contents;
  /** Without it: on both. */
  readonly engine?: Engine['name'];
  /** A request of a second quiet client, which must be quick too. */
  readonly beside?: Uint8Array;
  /**
   * Does it once; how the service takes it is judged from outside. Connections made through the target are closed
   * afterwards.
   */
  run(target: Target): Promise<void>;
}
