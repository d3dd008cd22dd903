import { ApiError, shorten } from '../errors.ts';
import { isId } from '../ids.ts';
import { defaultListLimit, maxListLimit } from '../limits.ts';
import { didYouMean } from '../suggest.ts';
import type { Table } from '../schema/table.ts';

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

  /** An id as this table has them, or had them under a former name. */
  id(name: string, table: Table): string | undefined {
    const text = this.#parameters.get(name);
    if (text === null) return undefined;
    const prefixes = [table.name, ...(table.renamedFrom ?? [])];
    if (prefixes.some((prefix) => isId(prefix, text))) return text;
    const form = prefixes.map((prefix) => `"${prefix}_"`).join(' or ');
    this.mistakes.push(
      `The query parameter "${name}" must be an id as this list shows them: ${form} and 26 digits of base 32.`,
    );
    return undefined;
  }

  notTogether(one: string, other: string): void {
    if (this.#parameters.has(one) && this.#parameters.has(other)) {
      this.mistakes.push(
        `The query parameters "${one}" and "${other}" cannot be given together: each says where to begin.`,
      );
    }
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
  /** The id that the page begins behind. */
  readonly after?: string;
}

const firstPage: ListQuery = { limit: defaultListLimit, offset: 0 };

const pageParameters = ['limit', 'offset', 'after'];

function page(query: Query, table: Table): ListQuery {
  const limit = query.wholeNumber('limit', 1, maxListLimit, defaultListLimit);
  const offset = query.wholeNumber('offset', 0, Number.MAX_SAFE_INTEGER, 0);
  const after = query.id('after', table);
  query.notTogether('after', 'offset');
  return after === undefined ? { limit, offset } : { limit, offset, after };
}

/**
 * @throws ApiError `invalid_query` (400), naming every parameter that is unknown, repeated, out of bounds or no id of
 *   this table.
 */
export function readListQuery(url: string, table: Table): ListQuery {
  if (!url.includes('?')) return firstPage;
  const query = new Query(url, pageParameters);
  const result = page(query, table);
  query.finish();
  return result;
}

/** @throws ApiError `invalid_query` (400), as `readListQuery` does, and where `parent_id` is missing. */
export function readItemsQuery(url: string, table: Table): { readonly parentId: string; readonly page: ListQuery } {
  const query = new Query(url, ['parent_id', ...pageParameters]);
  const result = { parentId: query.required('parent_id'), page: page(query, table) };
  query.finish();
  return result;
}
