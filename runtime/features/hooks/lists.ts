import { readListQuery } from '../../kernel/api/query.ts';
import type { ReadParameters } from '../../kernel/api/service.ts';
import { ApiError } from '../../kernel/model/errors.ts';
import { maxEntries } from '../../kernel/model/limits.ts';
import type { Table } from '../../kernel/model/table.ts';
import type { Page } from '../../kernel/records/page.ts';

/** The list that a hook asks for. */
export interface ListOptions {
  /** By the names of parameters of lists; the values of `[in]` are arrays. */
  readonly filter?: Readonly<Record<string, unknown>>;
  readonly sort?: string;
  readonly limit?: number;
}

/**
 * Reads which records a hook asks for, as the query of a request does.
 *
 * @param call its function, for errors
 * @param more the parameters of features
 * @returns undefined if no record can meet the filter
 * @throws Error that says what is wrong
 */
export function pageOfHook(
  table: Table,
  call: 'list' | 'count',
  { filter = {}, sort, limit = maxEntries }: ListOptions,
  more: readonly ReadParameters[],
): Page | undefined {
  const where = `${call}('${table.path}')`;
  if (table.kind === 'singleton')
    throw new Error(`${where}: there is one record, which read('${table.path}') returns.`);
  if (!(limit <= maxEntries)) throw new Error(`${where}: the limit is at most ${maxEntries}, not ${limit}.`);
  const query = new URLSearchParams({ limit: String(limit), ...(sort !== undefined && { sort }) });
  for (const [name, value] of Object.entries(filter)) {
    const values = [value].flat();
    if (values.length === 0) return undefined;
    if (values.some((one) => one === null || one === undefined))
      throw new Error(`${where}: the filter ${name} is ${String(value)}; nulls are found by '${name}[null]': true.`);
    const isList = name.endsWith('[in]');
    query.append(name, values.map((one) => (isList ? escaped(String(one)) : String(one))).join());
  }
  try {
    return readListQuery(`?${query}`, table, more);
  } catch (error) {
    // It is the hook's fault, not that of the request.
    throw error instanceof ApiError ? new Error(`${where}: ${error.message}`, { cause: error }) : error;
  }
}

/** A value among several of a parameter. */
const escaped = (value: string): string => value.replaceAll(/[\\,]/g, String.raw`\$&`);
