import { defaultListLimit, maxListLimit, maxSearchLength, maxSearchWords, maxSortKeys } from '../model/limits.ts';
import { didYouMean } from '../model/suggest.ts';
import { parameterOf } from '../model/query.ts';
import { searchedWords } from '../model/search.ts';
import { expandablesOf, type Table } from '../model/table.ts';
import type { Condition, Page, Projection, SortKey } from '../records/page.ts';
import { quoted } from '../model/text.ts';
import { type Filter, filtersOf, readFilter, readId } from './filters.ts';
import { listOf, Parameters, unknownOf } from './parameters.ts';

/**
 * Refuses every query parameter: most operations have none.
 *
 * @throws ApiError `invalid_query` (400).
 */
export function refuseQuery(url: string): void {
  if (!url.includes('?')) return;
  const parameters = new Parameters(url);
  parameters.refuseOthers([]);
  parameters.finish();
}

interface ListParameters {
  /** By the names of their parameters. */
  readonly filters: ReadonlyMap<string, Filter>;
  readonly sort: readonly string[];
  /** The names of those that do not filter. */
  readonly others: readonly string[];
}

const listParameters = new WeakMap<Table, ListParameters>();

const listParametersOf = (table: Table): ListParameters =>
  listParameters.getOrInsertComputed(table, () => {
    const { columns, parent, list } = table;
    const always: string[] = ['id', 'created_at'].filter((name) => columns.some((column) => column.name === name));
    const filtered = columns.filter(({ name }) => always.includes(name) || list.filter.includes(name));
    const own = [...(list.search.length > 0 ? ['q'] : []), ...projectionParameters(table)];
    return {
      filters: new Map(
        filtered.flatMap((column) =>
          filtersOf(table, column).map((filter) => [parameterOf(column.name, filter.operator), filter]),
        ),
      ),
      sort: [...new Set([...always, ...list.sort])],
      others: [...(parent ? ['parent_id'] : []), 'limit', 'offset', 'after', 'sort', ...own],
    };
  });

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
  const known = listParametersOf(table);
  const parentId = parent && (parameters.text('parent_id') ?? parameters.fail('parent_id', () => 'is required'));
  const limit = parameters.integer('limit', 1, maxListLimit, defaultListLimit);
  const offset = parameters.integer('offset', 0, Number.MAX_SAFE_INTEGER, 0);
  const after = readAfter(parameters, table);
  const filter = readFilters(parameters, known, table);
  const sort = readSort(parameters, known);
  const search = known.others.includes('q') ? readSearch(parameters) : undefined;
  const projection = readProjection(parameters, table);
  parameters.finish();
  return {
    limit,
    offset,
    ...(after !== undefined && { after }),
    ...(parent && parentId !== undefined && { where: { [parent.field]: parentId } }),
    ...(filter.length > 0 && { filter }),
    ...(sort && { sort }),
    ...(search && { search }),
    ...(projection && { projection }),
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

function readFilters(parameters: Parameters, { filters, others }: ListParameters, table: Table): Condition[] {
  const unknown = (parameter: string): string => {
    const field = parameter.replace(/\[.*\]$/s, '');
    const forms = [...filters].flatMap(([form, { column }]) => (column === field ? [form] : []));
    if (forms.length > 0) return `has an unknown form. Known are ${listOf(forms)}`;
    const declared = [...new Set(Array.from(filters.values(), ({ column }) => column))];
    const isField = !others.includes(field) && table.columns.some(({ name }) => name === field);
    if (isField) return `filters by a field that is not declared for it. Declared are ${listOf(declared)}`;
    return unknownOf(field, [...others, ...declared]);
  };
  const conditions: Condition[] = [];
  for (const name of parameters.names) {
    if (others.includes(name)) continue;
    const filter = filters.get(name);
    const condition = filter ? readFilter(parameters, name, filter) : parameters.fail(name, () => unknown(name));
    if (condition) conditions.push(condition);
  }
  return conditions;
}

function readSort(parameters: Parameters, { sort: declared }: ListParameters): readonly SortKey[] | undefined {
  const written = parameters.list('sort');
  if (written === undefined) return undefined;
  if (written.join() === '' || written.length > maxSortKeys) {
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
  const words = searchedWords(text);
  if (words.length === 0) return parameters.fail('q', () => 'has no word: no letter and no digit');
  if (words.length > maxSearchWords) return parameters.fail('q', () => `must have at most ${maxSearchWords} words`);
  return words.flat();
}

/** The parameters that say what is shown of a record. */
const projectionParameters = (table: Table): string[] =>
  expandablesOf(table).length > 0 ? ['fields', 'expand'] : ['fields'];

/** Reads what is shown of each record; undefined if that is all of it, and nothing else. */
function readProjection(parameters: Parameters, table: Table): Projection | undefined {
  const columns = table.columns.map(({ name }) => name);
  const expandables = expandablesOf(table);
  // Typed clients write all names with hyphens.
  const nameOf = (text: string): string =>
    expandables.find(({ column }) => column?.replaceAll('_', '-') === text)?.name ?? text;
  const fields = readNames(parameters, 'fields', columns);
  const names = expandables.map(({ name }) => name);
  const expand = names.length === 0 ? undefined : readNames(parameters, 'expand', names, nameOf);
  return fields || expand ? { ...(fields && { fields: ['id', ...fields] }), ...(expand && { expand }) } : undefined;
}

/** A list of names, separated by commas. */
function readNames(
  parameters: Parameters,
  parameter: string,
  known: readonly string[],
  nameOf = (text: string): string => text,
): string[] | undefined {
  const written = parameters.list(parameter);
  if (written === undefined) return undefined;
  const names = new Set(written.map(nameOf));
  for (const name of names) {
    if (known.includes(name)) continue;
    const reason = written.join() === '' ? 'names nothing' : `names ${quoted(name)}, which is unknown`;
    parameters.fail(parameter, () => reason + (didYouMean(name, known) || `. Known are ${listOf(known)}`));
  }
  return [...names];
}

/**
 * Reads what is shown of the one record that a request is about: there are no other parameters.
 *
 * @throws ApiError `invalid_query` (400).
 */
export function readRecordQuery(url: string, table: Table): Projection | undefined {
  if (!url.includes('?')) return undefined;
  const parameters = new Parameters(url);
  parameters.refuseOthers(projectionParameters(table));
  const projection = readProjection(parameters, table);
  parameters.finish();
  return projection;
}
