import { maxEntries } from '../model/limits.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import { counterOf } from './row-counters.ts';
import { literal, quote, sortKey } from './schema.ts';
import { organizationColumn } from './helper-tables.ts';
import { type Expandable, expandablesOf } from '../model/table.ts';
import type { TableSql } from './table-sql.ts';
import type { Dml } from './dml.ts';
import type { Statement, Values } from './types.ts';
import type { Items, ItemStream, Listing, Page, Projection } from '../records/page.ts';

export type ReadItems = (sql: TableSql, page: Page) => MaybePromise<Listing | undefined>;

/** A part that a record can be shown with, and the statements on its table. */
interface ExpandableSql extends Omit<Expandable, 'table'> {
  readonly sql: TableSql;
}

/**
 * The SQL of a projection. The shown fields are a parameter, not a part of the text: clients may request any of very many sets of
 * fields, and each text has to be prepared.
 */
export class ProjectionSql {
  readonly sql: TableSql;
  readonly #projection: Projection;
  readonly #expandables: readonly ExpandableSql[];

  constructor(dml: Dml, sql: TableSql, projection: Projection) {
    this.sql = sql;
    this.#projection = projection;
    this.#expandables = expandablesOf(sql.table).map(({ table, ...one }) => {
      return { ...one, sql: dml.of(table, sql.organization) };
    });
  }

  get hasFields(): boolean {
    return this.#projection.fields !== undefined;
  }

  get isExpanded(): boolean {
    return (this.#projection.expand?.length ?? 0) > 0;
  }

  /** The parts that the projection shows. */
  get expanded(): readonly ExpandableSql[] {
    return this.#expandables.filter(({ name }) => this.#projection.expand?.includes(name));
  }

  /** Whether the record that a reference names is shown as null. */
  isWithheld({ name }: ExpandableSql): boolean {
    return this.#projection.withheld?.includes(name) ?? false;
  }

  /** The value of the parameter: a 1 for each column and then each part that is shown, a 0 for each other, a 2 for null. */
  get shown(): string {
    const { fields } = this.#projection;
    const columns = this.sql.table.columns.map(({ name }) => Number(fields === undefined || fields.includes(name)));
    const { expanded } = this;
    const parts = this.#expandables.map((one) => (expanded.includes(one) ? (this.isWithheld(one) ? 2 : 1) : 0));
    return [...columns, ...parts].join('');
  }

  /** `shown` without those parts. */
  get shownColumns(): string {
    return this.shown.slice(0, this.sql.table.columns.length).padEnd(this.shown.length, '0');
  }

  /** A statement whose text is built once for projections of all columns, and once for all others. */
  statement(key: string, values: Values, build: () => string): Statement {
    return this.sql.statement(`${key} ${this.#projection.fields ? 'of fields' : 'of records'}`, values, build);
  }

  /**
   * An expression: the JSON of a row, without its last bracket.
   *
   * @param row the name of the relation that has it
   * @param shown the parameter
   */
  json(row: string, shown: string): string {
    const { table } = this.sql;
    const parts = this.#expandables.map(({ key, sql, column }, i) => {
      const place = table.columns.length + i;
      if (column !== undefined) return ` || ${ifNamed(place, shown, key, referencedJson(sql, row, column))}`;
      const list = `${literal(`,"${key}":{"data":[`)} || ${itemsOf(sql, row)} || ${endOf(sql, row)}`;
      return ` || ${ifShown(place, shown, list, "''")}`;
    });
    return this.#columns(shown) + parts.join('');
  }

  #columns(shown: string): string {
    const { table, dialect } = this.sql;
    if (!this.#projection.fields) return `rtrim(${dialect.recordJson(table)}, '}')`;
    const pairs = table.columns.map((column, i) =>
      ifShown(i, shown, `${literal(`"${column.name}":`)} || ${dialect.valueJson(column)}`),
    );
    return `'{' || ${dialect.joined(pairs)}`;
  }
}

const ifShown = (place: number, shown: string, value: string, otherwise = 'null'): string =>
  `case when substr(${shown}, ${place + 1}, 1) = '1' then ${value} else ${otherwise} end`;

/** The record that a reference names, with its key. */
const ifNamed = (place: number, shown: string, key: string, json: string): string =>
  `case substr(${shown}, ${place + 1}, 1) when '1' then ${literal(`,"${key}":`)} || coalesce(${json}, 'null') ` +
  `when '2' then ${literal(`,"${key}":null`)} else '' end`;

/** The row that a reference names, as it follows `from`: its name differs from that of the row, which may be in the same table. */
const referencedRow = (sql: TableSql, row: string, column: string): string =>
  `${quote(sql.table.name)} as _referenced where ${sql.inOrganization(`_referenced.${quote(organizationColumn)}`)} ` +
  `and _referenced."id" = ${row}.${quote(column)}`;

const referencedJson = (sql: TableSql, row: string, column: string): string =>
  `(select ${sql.dialect.recordJson(sql.table)} from ${referencedRow(sql, row, column)})`;

/** The first line items of a parent in their order, as they follow `from`. */
function firstItems(sql: TableSql, parent: string): string {
  const { table, dialect } = sql;
  const isParent = dialect.isParent(quote(table.parent?.field ?? ''), dialect.idIn(parent));
  return `${sql.organizationRows([isParent])} order by "idx", ${sortKey(table)} limit ${maxEntries}`;
}

function itemsOf(sql: TableSql, parent: string): string {
  const { table, dialect } = sql;
  const rows = firstItems(sql, parent);
  const list = `(with _item (_json) as (${dialect.selectJson(table, rows)}) select ${dialect.listJson} from _item)`;
  return dialect.shortList(list, sql.selectBytes(rows));
}

/** The end of a list of items, from the row counter of their parent. */
function endOf(sql: TableSql, parent: string): string {
  const total = `select coalesce(sum("count"), 0) as _total from ${counterOf(sql, sql.dialect.idIn(parent))}`;
  const hasMore = `case when _total > ${maxEntries} then 'true' else 'false' end`;
  return `(select '],"has_more":' || ${hasMore} || ',"total":' || _total || '}' from (${total}) as _counted)`;
}

/** Records in parts, with commas between them. */
export async function* withCommas(parts: AsyncIterable<Iterable<Uint8Array> | ItemStream>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const part of parts) {
    // Not the same one each time, as the consumer may free it.
    if (!isFirst) yield Buffer.from(',');
    isFirst = false;
    yield* part;
  }
}

/**
 * Streams a record whose parts are too long to be read with it.
 *
 * @param record its JSON without these parts and without its last bracket
 * @param read a page of a table
 */
export async function* streamExpanded(
  projection: ProjectionSql,
  id: string,
  record: Iterable<Uint8Array>,
  read: ReadItems,
): AsyncGenerator<Uint8Array> {
  yield* record;
  const named = await namedIds(projection, id, read);
  for (const part of projection.expanded) {
    yield Buffer.from(`,"${part.key}":`);
    if (part.column === undefined) yield* streamList(part.sql, id, read);
    else if (projection.isWithheld(part)) yield Buffer.from('null');
    else yield* streamNamed(part.sql, named[part.column] ?? null, read);
  }
  yield Buffer.from('}');
}

/** A page of the record with this id. */
const pageOf = (id: string, projection?: Projection): Page => ({
  limit: 1,
  offset: 0,
  filter: [{ column: 'id', operator: 'eq', values: [id] }],
  ...(projection && { projection }),
});

/** The ids in the shown references of a record. */
async function namedIds(
  { sql, expanded }: ProjectionSql,
  id: string,
  read: ReadItems,
): Promise<Readonly<Record<string, string | null>>> {
  const columns = expanded.flatMap(({ column }) => column ?? []);
  if (columns.length === 0) return {};
  const { items = '' } = (await read(sql, pageOf(id, { fields: ['id', ...columns] }))) ?? {};
  const text = typeof items === 'string' ? items : Buffer.concat(items as readonly Uint8Array[]).toString();
  return text === '' ? {} : (JSON.parse(text) as Record<string, string | null>);
}

async function* streamNamed(sql: TableSql, id: string | null, read: ReadItems): AsyncGenerator<Uint8Array> {
  const { items = '', total = 0 } = (id === null ? undefined : await read(sql, pageOf(id))) ?? {};
  if (total === 0) yield Buffer.from('null');
  else yield* streamItems(items);
}

async function* streamList(sql: TableSql, parent: string, read: ReadItems): AsyncGenerator<Uint8Array> {
  const where = { [sql.table.parent?.field ?? '']: parent };
  const page = await read(sql, { limit: maxEntries, offset: 0, where });
  const { items = '', hasMore = false, total = 0 } = page ?? {};
  yield Buffer.from('{"data":[');
  yield* streamItems(items);
  yield Buffer.from(`],"has_more":${hasMore},"total":${total}}`);
}

async function* streamItems(items: Items): AsyncGenerator<Uint8Array> {
  if (typeof items === 'string') yield Buffer.from(items);
  // Copies, as the consumer frees a chunk, which may be cached.
  else if (Array.isArray(items)) yield Buffer.concat(items);
  else yield* items as ItemStream;
}
