import { ApiError } from '../model/errors.ts';
import { maxNamed } from '../model/limits.ts';
import { didYouMean } from '../model/suggest.ts';
import { quoted } from '../model/text.ts';

export const listOf = (names: readonly string[]): string => names.map(quoted).join(', ');

/** The message for an unknown name. */
export const unknownOf = (name: string, known: readonly string[]): string =>
  `is unknown${didYouMean(name, known) || `. Known are ${listOf(known)}`}`;

/** A name or a value of a query; undefined where it is not UTF-8 in percent-encoding, which nothing repairs. */
function decode(text: string): string | undefined {
  // Most need no decoding.
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** The query parameters of a request, and every error in them. */
export class Parameters {
  readonly #values = new Map<string, string[]>();
  /** Parameters that were given more than once, as only lists may be. */
  readonly #repeated = new Set<string>();
  readonly #errors: string[] = [];
  #errorCount = 0;

  constructor(url: string) {
    const start = url.indexOf('?');
    if (start === -1) return;
    for (const part of url.slice(start + 1).split('&')) {
      if (part === '') continue;
      const at = part.indexOf('=');
      const written = at === -1 ? part : part.slice(0, at);
      const name = decode(written);
      const value = at === -1 ? '' : decode(part.slice(at + 1));
      if (name === undefined || value === undefined) {
        this.fail(name ?? written, () => 'is not UTF-8 in percent-encoding');
      }
      const known = name ?? written;
      const values = this.#values.getOrInsert(known, []);
      if (values.push(value ?? '') > 1) this.#repeated.add(known);
    }
  }

  get names(): Iterable<string> {
    return this.#values.keys();
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  text(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  /**
   * The items of a parameter that is a list. If it is repeated, each value is an item as it is; of a single one, `split` makes
   * them: many generated clients repeat a list of several items, and escape nothing.
   *
   * @returns undefined if the parameter is not given, or `split` returns that
   */
  list(name: string, split: (text: string) => string[] | undefined = (text) => text.split(',')): string[] | undefined {
    this.#repeated.delete(name);
    const [first, ...others] = this.#values.get(name) ?? [];
    if (first === undefined) return undefined;
    return others.length > 0 ? [first, ...others] : split(first);
  }

  /** @param rule what is wrong, with or without its full stop */
  fail(name: string, rule: () => string): undefined {
    // Thousands may be wrong, and a suggestion takes a moment.
    if (++this.#errorCount > maxNamed) return;
    const sentence = `The query parameter ${quoted(name)} ${rule()}`;
    this.#errors.push(/[.?]$/.test(sentence) ? sentence : `${sentence}.`);
  }

  /** Fails each parameter that is none of these. */
  refuseOthers(known: readonly string[]): void {
    for (const name of this.names) {
      if (!known.includes(name)) this.fail(name, () => (known.length === 0 ? 'is unknown' : unknownOf(name, known)));
    }
  }

  integer(name: string, min: number, max: number, absent: number): number {
    const text = this.text(name) ?? String(absent);
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    return this.fail(name, () => `must be an integer from ${min} to ${max}, in decimal digits`) ?? absent;
  }

  /** @throws ApiError `invalid_query` (400), naming the errors. */
  finish(): void {
    for (const name of this.#repeated) this.fail(name, () => 'is given more than once');
    const more = this.#errorCount - this.#errors.length;
    if (this.#errorCount === 0) return;
    const others = more === 0 ? [] : [`There ${more === 1 ? 'is 1 more error' : `are ${more} more errors`}.`];
    throw new ApiError('invalid_query', [...this.#errors, ...others].join(' '));
  }
}
