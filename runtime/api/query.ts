import { defaultListLimit, maxListLimit, maxSearchLength, maxSearchWords, maxSortKeys } from '../model/limits.ts';
import { didYouMean } from '../model/suggest.ts';
import { fold } from '../model/search.ts';
import type { Table } from '../model/table.ts';
import type { Condition, Page, SortKey } from '../records/store.ts';
import { quoted } from '../model/text.ts';
import { type Filter, filterOf, readFilter, readId } from './filters.ts';
import { listOf, Parameters } from './parameters.ts';
import { readView, viewParameters } from './view.ts';

/**
 * Refuses every query parameter: most operations have none.
 *
 * @throws ApiError `invalid_query` (400).
 */
export function refuseQuery(url: string): void {
  if (!url.includes('?')) return;
  const parameters = new Parameters(url);
  for (const name of parameters.names) parameters.fail(name, () => 'is unknown');
  parameters.finish();
}

/** The parameters of a list. */
interface ListQuery {
  readonly filters: ReadonlyMap<string, Filter>;
  readonly sort: readonly string[];
  /** The parameters that do not filter. */
  readonly parameters: readonly string[];
}

const listQueries = new WeakMap<Table, ListQuery>();

function listQueryOf(table: Table): ListQuery {
  const known = listQueries.get(table);
  if (known) return known;
  const { columns, parent, list } = table;
  const always = columns.map(({ name }) => name).filter((name) => name === 'id' || name === 'created_at');
  const filtered = new Set([...always, ...list.filter]);
  const query: ListQuery = {
    filters: new Map(
      columns.filter(({ name }) => filtered.has(name)).map((column) => [column.name, filterOf(table, column)]),
    ),
    sort: [...new Set([...always, ...list.sort])],
    parameters: [
      ...(parent ? ['parent_id'] : []),
      'limit',
      'offset',
      'after',
      'sort',
      ...(list.search.length > 0 ? ['q'] : []),
      ...viewParameters(table),
    ],
  };
  listQueries.set(table, query);
  return query;
}

const firstPage: Page = { limit: defaultListLimit, offset: 0 };

/**
 * Reads which page of a list is requested: of which records, in which order, from where; of line items, of which parent.
 *
 * @throws ApiError `invalid_query` (400), naming every parameter that is unknown, repeated, missing, or has a value that it
 *   cannot have.
 */
export function readListQuery(url: string, table: Table): Page {
  if (!table.parent && !url.includes('?')) return firstPage;
  const { parent } = table;
  const parameters = new Parameters(url);
  const query = listQueryOf(table);
  const parentId = parent && (parameters.text('parent_id') ?? parameters.fail('parent_id', () => 'is required'));
  const limit = parameters.integer('limit', 1, maxListLimit, defaultListLimit);
  const offset = parameters.integer('offset', 0, Number.MAX_SAFE_INTEGER, 0);
  const after = readAfter(parameters, table);
  const filter = readFilters(parameters, query, table);
  const sort = readSort(parameters, query);
  const search = query.parameters.includes('q') ? readSearch(parameters) : undefined;
  const view = readView(parameters, table);
  parameters.finish();
  return {
    limit,
    offset,
    ...(after !== undefined && { after }),
    ...(parent && parentId !== undefined && { where: { [parent.field]: parentId } }),
    ...(filter.length > 0 && { filter }),
    ...(sort && { sort }),
    ...(search && { search }),
    ...(view && { view }),
  };
}

function readAfter(parameters: Parameters, table: Table): string | undefined {
  const after = parameters.text('after');
  if (after === undefined) return undefined;
  // Clients that spell out every default send offset=0 with it.
  if (!/^0+$/.test(parameters.text('offset') ?? '0')) {
    parameters.fail('after', () => 'cannot be combined with an "offset" other than 0');
  }
  const reading = readId(table, after);
  if ('rule' in reading) parameters.fail('after', () => reading.rule);
  return after;
}

function readFilters(parameters: Parameters, { filters, parameters: others }: ListQuery, table: Table): Condition[] {
  const names = [...others, ...filters.keys()];
  const unknown = (field: string): string => {
    const isField = !others.includes(field) && table.columns.some(({ name }) => name === field);
    if (isField) return `filters by a field that is not declared for it. Declared are ${listOf([...filters.keys()])}`;
    return `is unknown${didYouMean(field, names) || `. Known are ${listOf(names)}`}`;
  };
  const conditions: Condition[] = [];
  for (const name of parameters.names) {
    if (others.includes(name)) continue;
    const condition = readFilter(parameters, name, filters, unknown);
    if (condition) conditions.push(condition);
  }
  return conditions;
}

function readSort(parameters: Parameters, { sort: declared }: ListQuery): readonly SortKey[] | undefined {
  const text = parameters.list('sort');
  if (text === undefined) return undefined;
  const written = text.split(',');
  if (text === '' || written.length > maxSortKeys) {
    const words = `must name 1 to ${maxSortKeys} fields, separated by commas; those declared for it are ${listOf(declared)}`;
    return parameters.fail('sort', () => words);
  }
  const keys: SortKey[] = [];
  for (const key of written) {
    const isDescending = key.startsWith('-');
    const column = isDescending ? key.slice(1) : key;
    if (!declared.includes(column)) {
      const words = `names ${quoted(column)}, which is not declared for it`;
      parameters.fail('sort', () => `${words}${didYouMean(column, declared) || '.'} Declared are ${listOf(declared)}`);
    } else if (keys.some((one) => one.column === column)) {
      parameters.fail('sort', () => `names ${quoted(column)} more than once`);
    }
    keys.push({ column, isDescending });
  }
  return keys;
}

function readSearch(parameters: Parameters): readonly string[] | undefined {
  const text = parameters.text('q');
  if (text === undefined) return undefined;
  const length = [...text].length;
  if (length < 1 || length > maxSearchLength) {
    return parameters.fail('q', () => `must be 1 to ${maxSearchLength} characters long`);
  }
  const words = fold(text);
  if (words.length === 0) return parameters.fail('q', () => 'has no word: no letter and no digit');
  if (words.length > maxSearchWords) return parameters.fail('q', () => `must have at most ${maxSearchWords} words`);
  return words;
}
