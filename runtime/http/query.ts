import { ApiError, shorten } from '../errors.ts';
import { isId } from '../ids.ts';
import { defaultListLimit, maxListLimit } from '../limits.ts';
import { didYouMean } from '../suggest.ts';
import type { Table } from '../schema/table.ts';
import type { Page } from '../store/store.ts';

/** Errors that an answer names; of the others it has the number. */
const maxNamed = 10;

/** The query parameters of a request, and every error in them. */
class Query {
  readonly #errors: string[] = [];
  readonly #parameters: URLSearchParams;

  constructor(url: string, known: readonly string[]) {
    const start = url.indexOf('?');
    this.#parameters = new URLSearchParams(start === -1 ? '' : url.slice(start));
    for (const name of new Set(this.#parameters.keys())) {
      const quoted = JSON.stringify(shorten(name));
      if (!known.includes(name)) {
        this.#errors.push(`The query parameter ${quoted} is unknown${didYouMean(name, known) || '.'}`);
      } else if (this.#parameters.getAll(name).length > 1) {
        this.#errors.push(`The query parameter ${quoted} is given more than once.`);
      }
    }
  }

  text(name: string): string | undefined {
    return this.#parameters.get(name) ?? undefined;
  }

  fail(name: string, rule: string): undefined {
    this.#errors.push(`The query parameter "${name}" ${rule}.`);
  }

  integer(name: string, min: number, max: number, absent: number): number {
    const text = this.text(name) ?? String(absent);
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    return this.fail(name, `must be an integer from ${min} to ${max}, in decimal digits`) ?? absent;
  }

  /** An id as this table has them, or had them under a former name. */
  id(name: string, table: Table): string | undefined {
    const text = this.text(name);
    const prefixes = [table.name, ...(table.renamedFrom ?? [])];
    if (text === undefined || prefixes.some((prefix) => isId(prefix, text))) return text;
    const form = prefixes.map((prefix) => `"${prefix}_"`).join(' or ');
    return this.fail(name, `must be an id of this list: ${form} and 26 digits of base 32`);
  }

  /** @throws ApiError `invalid_query` (400), naming the first errors and the number of the others. */
  finish(): void {
    if (this.#errors.length === 0) return;
    const others = this.#errors.length - maxNamed;
    const rest = others > 0 ? ` And ${others} more ${others === 1 ? 'error' : 'errors'}.` : '';
    throw new ApiError('invalid_query', this.#errors.slice(0, maxNamed).join(' ') + rest);
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

const firstPage: Page = { limit: defaultListLimit, offset: 0 };

const pageParameters = ['limit', 'offset', 'after'];

/**
 * Reads which page of a list is requested; of line items, of which parent.
 *
 * @throws ApiError `invalid_query` (400), naming the parameters that are unknown, repeated, missing, out of bounds or no
 *   id of this table.
 */
export function readListQuery(url: string, table: Table): Page {
  if (!table.parent && !url.includes('?')) return firstPage;
  const { parent } = table;
  const query = new Query(url, parent ? ['parent_id', ...pageParameters] : pageParameters);
  const parentId = parent && (query.text('parent_id') ?? query.fail('parent_id', 'is required'));
  const limit = query.integer('limit', 1, maxListLimit, defaultListLimit);
  const offset = query.integer('offset', 0, Number.MAX_SAFE_INTEGER, 0);
  const after = query.id('after', table);
  // Clients that spell out every default send offset=0 with it.
  if (query.text('after') !== undefined && !/^0+$/.test(query.text('offset') ?? '0')) {
    query.fail('after', 'cannot be combined with an "offset" other than 0');
  }
  query.finish();
  const where = parent && parentId !== undefined && { where: { [parent.field]: parentId } };
  return { limit, offset, ...(after !== undefined && { after }), ...where };
}
