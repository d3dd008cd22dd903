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
  /**
   * Does it once; how the service takes it is judged from outside. Connections made through the target are closed
   * afterwards.
   */
  run(target: Target): Promise<void>;
}
