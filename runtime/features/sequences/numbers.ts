import type { Value } from '../../kernel/model/fields.ts';
import type { Table } from '../../kernel/model/table.ts';
import { literal, organizationColumn, quote } from '../../kernel/sql/schema.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { Statement } from '../../kernel/sql/types.ts';
import type { ChangeRequest, WritePart } from '../../kernel/sql/write-part.ts';
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

/** The columns of a table that hold numbers of sequences. */
export const numberedColumns = ({ columns }: Pick<Table, 'columns'>): { name: string; sequence: Sequence }[] =>
  columns.flatMap(({ name, sequence }) => (sequence ? [{ name, sequence }] : []));

/** A row of a counter, as it follows `insert into`; `assignment` is what happens to one that is there. */
export const counterRow = (row: string, assignment: string): string =>
  `insert into ${quote(sequences)} ${row} on conflict (${quote(organizationColumn)}, ${key}) do update set "last" = ${assignment}`;

/** The assignment that has a counter go on behind a number, unless it is there already. */
export const atLeast = `excluded."last" where ${quote(sequences)}."last" < excluded."last"`;

/** The statement that takes the next number of a field, or that has its counter go on behind the value which it has; undefined if there is none. */
function countStatement(
  sql: TableSql,
  field: string,
  sequence: Sequence,
  change: ChangeRequest,
): Statement | undefined {
  const value = change.given[field] as Value;
  const row = `values (${[sql.param(0), literal(sql.table.name), literal(field), sql.param(1), sql.param(2)].join(', ')})`;
  if (value === null) {
    const around = surroundingsAt(sequence.pattern, sequence.timeZone, createdAt(change));
    const next = (): string => `${counterRow(row, `${quote(sequences)}."last" + 1`)} returning "around", "last"`;
    return sql.statement(`next ${field}`, [around, 1], next);
  }
  const counted = countIn(sequence.pattern, String(value));
  if (!counted || counted.count > maxCount) return undefined;
  return sql.statement(`behind ${field}`, [counted.around, counted.count], () => counterRow(row, atLeast));
}

/** The time in the name of which a record is numbered: a line item has no time of its own. */
const createdAt = ({ given, write }: ChangeRequest): string => String(given['created_at'] ?? write.origin.time);

/**
 * Numbers new records. The row of the counter is locked from the number until the commit, so that numbers have the order of
 * commits; it is behind all other locks, and sent with them: in a batch, the creates take their numbers in their order.
 */
export const numbered: WritePart = {
  isFor: (kind, table) => (kind === 'create' || kind === 'restore') && numberedColumns(table).length > 0,
  changesRows: true,
  behind: (change) =>
    numberedColumns(change.sql.table).flatMap(
      ({ name, sequence }) => countStatement(change.sql, name, sequence, change) ?? [],
    ),
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
