import { hash } from 'node:crypto';
import { BoundedMap } from '../bounded-map.ts';

/** Texts of statements that are remembered, to be prepared when they come again. */
const maxStatements = 2_000;

/**
 * Names the statements that come more than once, for the server to prepare them and keep their plans. A name is a hash of the
 * text: behind a pooler, processes with other statements use the same sessions.
 */
export class StatementNames {
  readonly #names = new BoundedMap<string, string>(maxStatements);

  /** The name of a statement; none at its first use. */
  of(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name === undefined) this.#names.set(text, '');
    else if (name === '') this.#names.set(text, hash('sha256', text, 'base64url').slice(0, 22));
    return this.#names.get(text) || undefined;
  }
}
