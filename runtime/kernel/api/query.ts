import { defaultListLimit, maxListLimit, maxSortKeys } from '../model/limits.ts';
import { didYouMean } from '../model/suggest.ts';
import { parameterOf } from '../model/query.ts';
import type { Table } from '../model/table.ts';
import type { Condition, Page, Projection, SortKey } from '../records/page.ts';
import { quoted } from '../model/text.ts';
import { type Filter, filtersOf, readFilter, readId } from './filters.ts';
import { listOf, Parameters, unknownOf } from './parameters.ts';
import type { ReadParameters } from './service.ts';

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
  /** The parameters of features. */
  readonly ofFeatures: readonly (Omit<ReadParameters, 'namesOf'> & { readonly names: readonly string[] })[];
}

const listParameters = new WeakMap<Table, ListParameters>();

const listParametersOf = (table: Table, more: readonly ReadParameters[]): ListParameters =>
  listParameters.getOrInsertComputed(table, () => {
    const { columns, parent, list } = table;
    const always: string[] = ['id', 'created_at'].filter((name) => columns.some((column) => column.name === name));
    const filtered = columns.filter(({ name }) => always.includes(name) || list.filter.includes(name));
    const ofFeatures = more.flatMap(({ namesOf, ...one }) => {
      const names = namesOf(table);
      return names.length > 0 ? [{ ...one, names }] : [];
    });
    return {
      ofFeatures,
      filters: new Map(
        filtered.flatMap((column) =>
          filtersOf(table, column).map((filter) => [parameterOf(column.name, filter.operator), filter]),
        ),
      ),
      sort: [...new Set([...always, ...list.sort])],
      others: [
        ...(parent ? ['parent_id'] : []),
        'limit',
        'offset',
        'after',
        'sort',
        ...ofFeatures.flatMap(({ names }) => names),
      ],
    };
  });

const firstPage: Page = { limit: defaultListLimit, offset: 0 };

/**
 * Reads which page of a list is requested: of which records, in which order, from where; of line items, of which parent.
 *
 * @param more the parameters of features
 * @throws ApiError `invalid_query` (400), naming every parameter that is unknown, repeated, missing, or has a value that it
 *   cannot have.
 */
export function readListQuery(url: string, table: Table, more: readonly ReadParameters[]): Page {
  if (!table.parent && table.unlistedBy === undefined && !url.includes('?')) return firstPage;
  const { parent } = table;
  const parameters = new Parameters(url);
  const known = listParametersOf(table, more);
  const parentId = parent && (parameters.text('parent_id') ?? parameters.fail('parent_id', () => 'is required'));
  const limit = parameters.integer('limit', 1, maxListLimit, defaultListLimit);
  const offset = parameters.integer('offset', 0, Number.MAX_SAFE_INTEGER, 0);
  const after = readAfter(parameters, table);
  const rows = readRows(parameters, table, known);
  const sort = readSort(parameters, known);
  parameters.finish();
  return {
    limit,
    offset,
    ...(after !== undefined && { after }),
    ...(parent && parentId !== undefined && { where: { [parent.field]: parentId } }),
    ...(sort && { sort }),
    ...rows,
  };
}

/** Reads the conditions of filters, and the parts of features. */
function readRows(parameters: Parameters, table: Table, known: ListParameters): Partial<Page> {
  const conditions = readFilters(parameters, known, table);
  const requested = known.ofFeatures.filter(
    ({ names, isAlwaysRead }) => isAlwaysRead || names.some((name) => parameters.has(name)),
  );
  const ofFeatures = requested.map(({ read }) => read(parameters, table) ?? {});
  const filter = [...conditions, ...ofFeatures.flatMap((part) => part.filter ?? [])];
  return Object.assign({}, ...ofFeatures, filter.length > 0 && { filter }) as Partial<Page>;
}

/**
 * Reads which records of a list a request is about, in no order and on no page.
 *
 * @param own the names of parameters that the caller reads, that of a parent among them
 */
export function readSelection(
  parameters: Parameters,
  table: Table,
  more: readonly ReadParameters[],
  own: readonly string[],
): Pick<Page, 'filter' | 'search'> {
  const known = listParametersOf(table, more);
  const ofFeatures = known.ofFeatures.filter(({ isOfRecords }) => !isOfRecords);
  const others = [...own, ...ofFeatures.flatMap(({ names }) => names)];
  return readRows(parameters, table, { ...known, ofFeatures, others });
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

/**
 * Reads what is shown of the one record that a request is about: there are no other parameters.
 *
 * @throws ApiError `invalid_query` (400).
 */
export function readRecordQuery(url: string, table: Table, more: readonly ReadParameters[]): Projection | undefined {
  if (!url.includes('?')) return undefined;
  const parameters = new Parameters(url);
  const ofRecord = more.filter(({ isOfRecords }) => isOfRecords);
  parameters.refuseOthers(ofRecord.flatMap(({ namesOf }) => namesOf(table)));
  const { projection }: Partial<Page> = Object.assign({}, ...ofRecord.map(({ read }) => read(parameters, table)));
  parameters.finish();
  return projection;
}
