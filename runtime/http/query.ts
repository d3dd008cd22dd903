import { ApiError } from '../errors.ts';
import { defaultListLimit, maxListLimit } from '../limits.ts';
import { didYouMean } from '../schema/validate.ts';

const invalid = (details: readonly string[]): ApiError => new ApiError('invalid_query', details.join(' '));

function parameters(url: string, known: readonly string[]): URLSearchParams | undefined {
  const start = url.indexOf('?');
  if (start === -1) return undefined;
  const query = new URLSearchParams(url.slice(start));
  const details: string[] = [];
  for (const name of new Set(query.keys())) {
    const shown = JSON.stringify(name.slice(0, 100));
    if (!known.includes(name)) {
      details.push(`There is no query parameter ${shown} here${didYouMean(name, known)}.`.replace('?.', '?'));
    } else if (query.getAll(name).length > 1) {
      details.push(`The query parameter ${shown} is given more than once.`);
    }
  }
  if (details.length > 0) throw invalid(details);
  return query;
}

/**
 * Refuses every query parameter: most operations have none.
 *
 * @throws ApiError `invalid_query` (400).
 */
export function refuseQuery(url: string): void {
  parameters(url, []);
}

function wholeNumber(query: URLSearchParams, name: string, min: number, max: number, absent: number): number | string {
  const text = query.get(name);
  if (text === null) return absent;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  return `The query parameter "${name}" must be a whole number from ${min} to ${max}, in decimal digits.`;
}

/** Which part of a list is asked for. */
export interface ListQuery {
  readonly limit: number;
  readonly offset: number;
}

const firstPage: ListQuery = { limit: defaultListLimit, offset: 0 };

function page(query: URLSearchParams): ListQuery | string[] {
  const limit = wholeNumber(query, 'limit', 1, maxListLimit, defaultListLimit);
  const offset = wholeNumber(query, 'offset', 0, Number.MAX_SAFE_INTEGER, 0);
  if (typeof limit === 'number' && typeof offset === 'number') return { limit, offset };
  return [limit, offset].filter((value) => typeof value === 'string');
}

/** @throws ApiError `invalid_query` (400), naming every parameter that is unknown, repeated or out of bounds. */
export function readListQuery(url: string): ListQuery {
  const query = parameters(url, ['limit', 'offset']);
  if (!query) return firstPage;
  const result = page(query);
  if (Array.isArray(result)) throw invalid(result);
  return result;
}

/** @throws ApiError `invalid_query` (400), also where `parent_id` is missing. */
export function readItemsQuery(url: string): ListQuery & { readonly parentId: string } {
  const query = parameters(url, ['parent_id', 'limit', 'offset']) ?? new URLSearchParams();
  const parentId = query.get('parent_id');
  const result = page(query);
  const details = Array.isArray(result) ? result : [];
  if (parentId === null) details.unshift('The query parameter "parent_id" is required.');
  if (details.length > 0 || Array.isArray(result) || parentId === null) throw invalid(details);
  return { ...result, parentId };
}
