import { maxExpandedItems } from '../model/limits.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import { literal, quote, sortKey } from './schema.ts';
import type { Column } from '../model/table.ts';
import type { Dml, Statement, TableSql, Values } from './table-sql.ts';
import type { ItemStream, Listing, Page, Projection } from '../records/store.ts';

/** An expression: the bytes of a column in JSON, nearly. */
type BytesOf = (column: Column) => string;

/** A list of line items that a record can be shown with. */
interface Expandable {
  /** The name in `Table.expand`. */
  readonly path: string;
  readonly key: string;
  readonly sql: TableSql;
}

/**
 * The SQL of a view. The shown fields are a parameter, not a part of the text: clients may request any of the very many sets of
 * fields, and each text has to be prepared.
 */
export class ProjectionSql {
  readonly sql: TableSql;
  readonly #view: Projection;
  readonly #expandables: readonly Expandable[];

  constructor(dml: Dml, sql: TableSql, view: Projection) {
    this.sql = sql;
    this.#view = view;
    this.#expandables = Object.entries(sql.table.expand ?? {}).map(([path, table]) => {
      return { path, key: path.replaceAll('-', '_'), sql: dml.of(table, sql.organization) };
    });
  }

  get hasLists(): boolean {
    return (this.#view.expand?.length ?? 0) > 0;
  }

  /** The lists of line items that the view shows. */
  get expanded(): readonly Expandable[] {
    return this.#expandables.filter(({ path }) => this.#view.expand?.includes(path));
  }

  /** The value of the parameter: a 1 for each column and then each list that is shown, and a 0 for each other. */
  get shown(): string {
    const { fields, expand = [] } = this.#view;
    const columns = this.sql.table.columns.map(({ name }) => fields === undefined || fields.includes(name));
    const lists = this.#expandables.map(({ path }) => expand.includes(path));
    return [...columns, ...lists].map(Number).join('');
  }

  /** `shown` without lists. */
  get shownColumns(): string {
    return this.shown.slice(0, this.sql.table.columns.length).padEnd(this.shown.length, '0');
  }

  /** A statement whose text is built once for views of all columns, and once for all others. */
  statement(key: string, values: Values, build: () => string): Statement {
    return this.sql.statement(`${key} ${this.#view.fields ? 'of fields' : 'of records'}`, values, build);
  }

  /**
   * An expression: the JSON of a row, without its last bracket.
   *
   * @param row the name of the relation that has it
   * @param shown the parameter
   */
  json(row: string, shown: string): string {
    const { table } = this.sql;
    const lists = this.#expandables.map(({ key, sql }, i) => {
      const list = `${literal(`,"${key}":{"data":[`)} || coalesce(${itemsOf(sql, row)}, '') || ${endOf(sql, row)}`;
      return ` || ${ifShown(table.columns.length + i, shown, list, "''")}`;
    });
    return this.#columns(shown) + lists.join('');
  }

  #columns(shown: string): string {
    const { table, dialect } = this.sql;
    if (!this.#view.fields) return `rtrim(${dialect.recordJson(table)}, '}')`;
    const pairs = table.columns.map((column, i) =>
      ifShown(i, shown, `${literal(`"${column.name}":`)} || ${dialect.valueJson(column)}`),
    );
    return `'{' || ${dialect.joined(pairs)}`;
  }

  /**
   * An expression: the bytes of what is shown of a row.
   *
   * @param bytesOf an expression for those of a column
   */
  bytes(row: string, shown: string, bytesOf: BytesOf): string {
    const { columns } = this.sql.table;
    const own = columns.map((column, i) => ifShown(i, shown, bytesOf(column), '0'));
    const lists = this.#expandables.map(({ sql }, i) => {
      const all = sql.table.columns.map(bytesOf).join(' + ');
      const sum = `coalesce((select sum(_bytes) from (select ${all} as _bytes from ${firstItems(sql, row)}) as _item), 0)`;
      return ifShown(columns.length + i, shown, sum, '0');
    });
    return [...own, ...lists].join(' + ');
  }
}

const ifShown = (place: number, shown: string, value: string, otherwise = 'null'): string =>
  `case when substr(${shown}, ${place + 1}, 1) = '1' then ${value} else ${otherwise} end`;

/** The first line items of a parent in their order, as they follow `from`. */
function firstItems(sql: TableSql, parent: string): string {
  const { table, dialect } = sql;
  const isParent = dialect.isParent(quote(table.parent?.field ?? ''), dialect.idIn(parent));
  return `${sql.organizationRows([isParent])} order by "idx", ${sortKey(table)} limit ${maxExpandedItems}`;
}

const itemsOf = (sql: TableSql, parent: string): string =>
  `(with _item (_json) as (${sql.dialect.selectJson(sql.table, firstItems(sql, parent))}) select string_agg(_json, ',') from _item)`;

/** The end of a list of items, from the row counter of their parent. */
function endOf(sql: TableSql, parent: string): string {
  const total = `select coalesce(sum("count"), 0) as _total from ${sql.counterOf(sql.dialect.idIn(parent))}`;
  const hasMore = `case when _total > ${maxExpandedItems} then 'true' else 'false' end`;
  return `(select '],"has_more":' || ${hasMore} || ',"total":' || _total || '}' from (${total}) as _counted)`;
}

/**
 * Streams a record whose lists are too long to be read with it.
 *
 * @param record its JSON without lists and without its last bracket
 * @param read a page of line items
 */
export async function* streamLists(
  view: ProjectionSql,
  id: string,
  record: Iterable<Uint8Array>,
  read: (sql: TableSql, page: Page) => MaybePromise<Listing | undefined>,
): AsyncGenerator<Uint8Array | number> {
  yield* record;
  for (const { key, sql } of view.expanded) {
    const where = { [sql.table.parent?.field ?? '']: id };
    const {
      items = '',
      hasMore = false,
      total = 0,
    } = (await read(sql, { limit: maxExpandedItems, offset: 0, where })) ?? {};
    yield Buffer.from(`,"${key}":{"data":[`);
    if (typeof items === 'string') yield Buffer.from(items);
    // Copies, as the consumer frees a chunk, which may be cached.
    else if (Array.isArray(items)) yield Buffer.concat(items);
    else yield* items as ItemStream;
    yield Buffer.from(`],"has_more":${hasMore},"total":${total}}`);
  }
  yield Buffer.from('}');
}
