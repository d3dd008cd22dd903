import type { Engine } from '../bench/databases/database.ts';
import type { Contents } from './contents.ts';
import type { Target } from './target.ts';

/** Something that one client does to the others. */
export interface Attack {
  /** Of lower-case words and hyphens: what `--only` names. */
  readonly name: string;
  /** What is done, in a line. */
  readonly what: string;
  /** Without it: leads. */
  readonly contents?: Contents;
  /** Without it: on both. */
  readonly engine?: Engine['name'];
  /** What must also be quick beside it: a request of another quiet client. */
  readonly beside?: Uint8Array;
  /**
   * Does it once; how the service takes it is judged from outside. Connections made through the target are closed
   * afterwards.
   */
  run(target: Target): Promise<void>;
}
