import { hash } from 'node:crypto';
import { BoundedMap } from '../records/bounded-map.ts';

/** Statement texts whose use is remembered. */
const maxStatements = 2_000;

/**
 * Names of statements that are used more than once, so that the server prepares them. A name is a hash of the text: behind a
 * pooler, processes with other statements share the sessions.
 */
export class StatementNames {
  readonly #names = new BoundedMap<string, string>(maxStatements);

  /** The name of a statement; undefined at its first use. */
  of(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name === undefined) this.#names.set(text, '');
    else if (name === '') this.#names.set(text, hash('sha256', text, 'base64url').slice(0, 22));
    return this.#names.get(text) || undefined;
  }
}
