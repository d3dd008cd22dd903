import { ApiError, shorten } from '../errors.ts';
import { defaultListLimit, maxListLimit } from '../limits.ts';
import { didYouMean } from '../nearest.ts';

/** The query of a request as it is read, with everything that is wrong with it. */
class Query {
  readonly mistakes: string[] = [];
  readonly #parameters: URLSearchParams;

  constructor(url: string, known: readonly string[]) {
    const start = url.indexOf('?');
    this.#parameters = new URLSearchParams(start === -1 ? '' : url.slice(start));
    for (const name of new Set(this.#parameters.keys())) {
      const shown = JSON.stringify(shorten(name));
      if (!known.includes(name)) {
        this.mistakes.push(`There is no query parameter ${shown} here${didYouMean(name, known) || '.'}`);
      } else if (this.#parameters.getAll(name).length > 1) {
        this.mistakes.push(`The query parameter ${shown} is given more than once.`);
      }
    }
  }

  required(name: string): string {
    const text = this.#parameters.get(name);
    if (text === null) this.mistakes.push(`The query parameter "${name}" is required.`);
    return text ?? '';
  }

  wholeNumber(name: string, min: number, max: number, absent: number): number {
    const text = this.#parameters.get(name);
    if (text === null) return absent;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    this.mistakes.push(
      `The query parameter "${name}" must be a whole number from ${min} to ${max}, in decimal digits.`,
    );
    return absent;
  }

  /** @throws ApiError `invalid_query` (400), naming every mistake. */
  finish(): void {
    if (this.mistakes.length > 0) throw new ApiError('invalid_query', this.mistakes.join(' '));
  }
}

/**
 * Refuses every query parameter: most operations have none.
 *
 * @throws ApiError `invalid_query` (400).
 */
export function refuseQuery(url: string): void {
  if (url.includes('?')) new Query(url, []).finish();
}

/** Which part of a list is asked for. */
export interface ListQuery {
  readonly limit: number;
  readonly offset: number;
}

const firstPage: ListQuery = { limit: defaultListLimit, offset: 0 };

const page = (query: Query): ListQuery => ({
  limit: query.wholeNumber('limit', 1, maxListLimit, defaultListLimit),
  offset: query.wholeNumber('offset', 0, Number.MAX_SAFE_INTEGER, 0),
});

/** @throws ApiError `invalid_query` (400), naming every parameter that is unknown, repeated or out of bounds. */
export function readListQuery(url: string): ListQuery {
  if (!url.includes('?')) return firstPage;
  const query = new Query(url, ['limit', 'offset']);
  const result = page(query);
  query.finish();
  return result;
}

/** @throws ApiError `invalid_query` (400), as `readListQuery` does, and where `parent_id` is missing. */
export function readItemsQuery(url: string): ListQuery & { readonly parentId: string } {
  const query = new Query(url, ['parent_id', 'limit', 'offset']);
  const result = { parentId: query.required('parent_id'), ...page(query) };
  query.finish();
  return result;
}
