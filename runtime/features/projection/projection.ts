import { maxEntries } from '../../kernel/model/limits.ts';
import { maxPageBytes } from '../../kernel/records/limits.ts';
import type { Engine } from '../../kernel/sql/values.ts';
import { counterOf } from '../../kernel/sql/row-counters.ts';
import { literal, organizationColumn, quote, sortKey } from '../../kernel/sql/schema.ts';
import { expandablesOf } from '../../kernel/model/table.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { ViewOf } from '../../kernel/sql/view.ts';

/**
 * The SQL of a projection. The shown fields are a parameter, not a part of the text: clients may request any of very many sets of
 * fields, and each text has to be prepared.
 */
export const projectionView: ViewOf = (sql, { fields, expand = [], withheld = [] }, of) => {
  const { table, dialect } = sql;
  const first = table.columns.length;
  const parts = expandablesOf(table).map((part, i) => ({ ...part, place: first + i, sql: of(part.table) }));
  // A 1 for each column and then each part that is shown, a 0 for each other, a 2 for null.
  const shownColumns = table.columns.map(({ name }) => Number(fields?.includes(name) ?? true));
  const shownParts = parts.map(({ name, table: shown }) =>
    expand.includes(name) ? (withheld.includes(shown) ? 2 : 1) : 0,
  );
  const columnsJson = (shown: string): string => {
    if (!fields) return `rtrim(${dialect.recordJson(table)}, '}')`;
    const pairs = table.columns.map((column, i) =>
      ifShown(i, shown, `${literal(`"${column.name}":`)} || ${dialect.valueJson(column)}`),
    );
    return `'{' || ${dialect.joined(pairs)}`;
  };
  const partJson = ([part, ...others]: readonly (typeof parts)[number][], row: string, shown: string): string => {
    if (!part) return "''";
    const { key, column, field, place } = part;
    if (column !== undefined) {
      const records = [part, ...others].map((one) => ifShown(one.place, shown, referencedJson(one.sql, row, column)));
      return ifNamed(place, shown, key, records.join(', '));
    }
    const { data, total } = field === undefined ? itemsOf(part.sql, row) : referringTo(part.sql, row, field);
    const list = `${literal(`,"${key}":{"data":[`)} || ${dataJson(part.sql, data)} || ${endJson(total)}`;
    return ifShown(place, shown, list, "''");
  };
  const keys = [...Map.groupBy(parts, ({ key }) => key).values()];
  return {
    hasFields: fields !== undefined,
    isExpanded: expand.length > 0,
    shown: [...shownColumns, ...shownParts].join(''),
    json: (row, shown) => [columnsJson(shown), ...keys.map((targets) => partJson(targets, row, shown))].join(' || '),
    statement: (key, values, build) => sql.statement(`${key} ${fields ? 'of fields' : 'of records'}`, values, build),
  };
};

const ifShown = (place: number, shown: string, value: string, otherwise = 'null'): string =>
  `case when substr(${shown}, ${place + 1}, 1) = '1' then ${value} else ${otherwise} end`;

/** The record that a reference names, with its key. @param records what each of its tables has of it */
const ifNamed = (place: number, shown: string, key: string, records: string): string =>
  `case substr(${shown}, ${place + 1}, 1) when '0' then '' else ${literal(`,"${key}":`)} || coalesce(${records}, 'null') end`;

/** The row that a reference names, as it follows `from`: its name differs from that of the row, which may be in the same table. */
const referencedRow = (sql: TableSql, row: string, column: string): string =>
  `${quote(sql.table.name)} as _referenced where ${sql.inOrganization(`_referenced.${quote(organizationColumn)}`)} ` +
  `and _referenced."id" = ${row}.${quote(column)}`;

const referencedJson = (sql: TableSql, row: string, column: string): string =>
  `(select ${sql.dialect.recordJson(sql.table)} from ${referencedRow(sql, row, column)})`;

/** The parts of lists that differ between engines. */
interface ListSql {
  /** The id of a row, compared as the columns of line items that hold it: in their indexes it is looked up so. */
  readonly idIn: (row: string) => string;
  /** An aggregate of `_json`: the texts, separated by commas; null if they may be too long for one value. */
  readonly aggregate: string;
  /** An expression: a list of records; it may be null if they are too long together. @param bytes selects those of their strings */
  readonly short: (list: string, bytes: string) => string;
}

const listsOf: Readonly<Record<Engine, ListSql>> = {
  // The read of a longer list fails.
  sqlite: { idIn: (row) => `${row}."id"`, aggregate: `coalesce(string_agg(_json, ','), '')`, short: (list) => list },
  postgres: {
    // Ids have a collation of their own.
    idIn: (row) => `(${row}."id" collate "default")`,
    // PostgreSQL has no values over 1 GiB.
    aggregate: `case when coalesce(sum(octet_length(_json)), 0) <= ${maxPageBytes} then coalesce(string_agg(_json, ','), '') end`,
    // The lengths of strings are known before they are read: no JSON is made of what is too long.
    short: (list, bytes) => `case when (${bytes}) <= ${maxPageBytes} then ${list} end`,
  },
};

/** A list that a record is shown with. */
interface ListParts {
  /** Its first rows in their order, as they follow `from`. */
  readonly data: string;
  /** Selects its total as `_total`. */
  readonly total: string;
}

/** The line items of a parent, whose row counter has their number. */
function itemsOf(sql: TableSql, parent: string): ListParts {
  const { table, dialect } = sql;
  const id = listsOf[dialect.engine].idIn(parent);
  const items = sql.organizationRows([dialect.isParent(quote(table.parent?.field ?? ''), id)]);
  return {
    data: `${items} order by "idx", ${sortKey(table)} limit ${maxEntries}`,
    total: `select coalesce(sum("count"), 0) as _total from ${counterOf(sql, id)}`,
  };
}

/** The rows that name a row by a reference, the newest first. Their names hide those of the row, which may be in the same table. */
function referringTo(sql: TableSql, row: string, field: string): ListParts {
  const { unlistedBy } = sql.table;
  const listed = unlistedBy === undefined ? '' : ` and ${sql.sortable(unlistedBy)} is null`;
  const rows =
    `${quote(sql.table.name)} as _referring where ${sql.inOrganization(`_referring.${quote(organizationColumn)}`)} ` +
    `and ${sql.sortable(field)} = ${row}."id"${listed}`;
  return {
    data: `${rows} order by ${sortKey(sql.table)} desc limit ${maxEntries}`,
    total: `select count(*) as _total from ${rows}`,
  };
}

function dataJson(sql: TableSql, rows: string): string {
  const { table, dialect } = sql;
  const { aggregate, short } = listsOf[dialect.engine];
  const list = `(with _item (_json) as (${dialect.selectJson(table, rows)}) select ${aggregate} from _item)`;
  return short(list, sql.selectBytes(rows));
}

/** The end of a list. @param total selects its total as `_total` */
function endJson(total: string): string {
  const hasMore = `case when _total > ${maxEntries} then 'true' else 'false' end`;
  return `(select '],"has_more":' || ${hasMore} || ',"total":' || _total || '}' from (${total}) as _counted)`;
}
