import type { Value } from '../../kernel/model/fields.ts';
import type { Table } from '../../kernel/model/table.ts';
import { literal, organizationColumn, quote } from '../../kernel/sql/schema.ts';
import type { Origin } from '../../kernel/records/write.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { Statement } from '../../kernel/sql/types.ts';
import type { ColumnValues, WritePart } from '../../kernel/sql/write-part.ts';
import { compareText } from '../../kernel/values/text.ts';
import type { OwnTable } from '../../migrations/own-tables.ts';
import { maxCount } from './limits.ts';
import { countIn, numberWith, type Sequence, surroundingsAt } from './pattern.ts';

declare module '../../kernel/model/fields.ts' {
  interface FieldFacts {
    readonly sequence?: Sequence;
  }
}

/** The table of the counters. */
export const sequences = '_sequence';

/** The columns of its key, behind the organization. */
const key = '"table", "field", "around"';

/** The last number of each text around the digits. A row stays when its record is deleted: no number is given twice. */
export const sequenceTable: OwnTable = {
  name: sequences,
  statements: [
    `create table ${quote(sequences)} (
  ${quote(organizationColumn)} bigint not null,
  "table" text not null,
  "field" text not null,
  "around" text not null,
  "last" bigint not null,
  primary key (${quote(organizationColumn)}, ${key})
)`,
  ],
  key,
  isFor: (tables) => tables.some((table) => numberedColumns(table).length > 0),
};

/** The columns of a table that hold numbers of sequences, in the order in which writes lock their counters. */
export const numberedColumns = ({ columns }: Pick<Table, 'columns'>): { name: string; sequence: Sequence }[] =>
  columns
    .flatMap(({ name, sequence }) => (sequence ? [{ name, sequence }] : []))
    .toSorted((a, b) => compareText(a.name, b.name));

/** A row of a counter, as it follows `insert into`; `assignment` is what happens to one that is there. */
export const counterRow = (row: string, assignment: string): string =>
  `insert into ${quote(sequences)} ${row} on conflict (${quote(organizationColumn)}, ${key}) do update set "last" = ${assignment}`;

/** The assignment that has a counter go on behind a number, unless it is there already. */
export const atLeast = `excluded."last" where ${quote(sequences)}."last" < excluded."last"`;

/**
 * The statement that takes the next number of a field, or that has its counter go on behind the value which it has; undefined if there
 * is none.
 *
 * @param isLock whether it only locks the counter
 */
function countStatement(
  sql: TableSql,
  { name: field, sequence: { pattern, timeZone } }: { readonly name: string; readonly sequence: Sequence },
  values: ColumnValues,
  { time }: Origin,
  isLock = false,
): Statement | undefined {
  const value = values[field] as Value;
  const isNext = value === null;
  // A line item has no time of its own.
  const next = (): string => surroundingsAt(pattern, timeZone, String(values['created_at'] ?? time));
  const counted = isNext ? { around: next(), count: 1 } : countIn(pattern, String(value));
  if (!counted || counted.count > maxCount) return undefined;
  const { around, count } = counted;
  const last = `${quote(sequences)}."last"`;
  const statement = (purpose: string, from: number, assignment: string): Statement =>
    sql.statement(`${purpose} ${field}`, [around, from], () => {
      const row = [sql.param(0), literal(sql.table.name), literal(field), sql.param(1), sql.param(2)].join(', ');
      return counterRow(`values (${row})`, assignment);
    });
  if (isLock) return statement('lock', 0, last);
  return isNext ? statement('next', 1, `${last} + 1 returning "around", "last"`) : statement('behind', count, atLeast);
}

/**
 * Numbers new records. The row of the counter is locked from the number until the commit, so that numbers have the order of
 * commits; it is behind all other locks, and sent with them: in a batch, the creates take their numbers in their order.
 */
export const numbered: WritePart = {
  isFor: (kind, table) => (kind === 'create' || kind === 'restore') && numberedColumns(table).length > 0,
  changesRows: true,
  ahead: (sql, write, origin) =>
    write.op === 'insert'
      ? numberedColumns(sql.table).flatMap(
          (column) => countStatement(sql, column, sql.byName(write.values), origin, true) ?? [],
        )
      : [],
  behind: ({ sql, given, write }) =>
    numberedColumns(sql.table).flatMap((column) => countStatement(sql, column, given, write.origin) ?? []),
  // oxlint-disable-next-line require-yield
  *derive({ sql, given }, _, { behind }) {
    // A statement that takes no number returns no row.
    const counters = behind.flat();
    const absent = numberedColumns(sql.table).filter(({ name }) => given[name] === null);
    const numbers = absent.map(({ name, sequence }, at) => {
      const [around, last] = counters[at] ?? [];
      return [name, numberWith(sequence.pattern, String(around), Number(last))] as const;
    });
    return { computed: Object.fromEntries(numbers) };
  },
};
