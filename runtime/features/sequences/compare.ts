import { timeOfId } from '../../kernel/model/ids.ts';
import type { Table } from '../../kernel/model/table.ts';
import { literal, organizationColumn, quote, sortKey } from '../../kernel/sql/schema.ts';
import { rowsPerSlice } from '../../migrations/limits.ts';
import type { MigrationPart } from '../../migrations/part.ts';
import { slicesOf } from '../../migrations/slices.ts';
import { change, noteStep } from '../../migrations/steps.ts';
import type { Comparison, Computation, Database, Step, Transaction } from '../../migrations/types.ts';
import { maxCount } from './limits.ts';
import { atLeast, counterRow, numberedColumns, sequences } from './numbers.ts';
import { countIn, numberWith, type Sequence, surroundingsAt } from './pattern.ts';

/** The beginning of the names by which `requiredColumns` lists a field whose rows are numbered. */
const noteOf = (table: string, field: string): string => `${table}.${field} sequence `;

/** The whole name: another one for another pattern. */
const nameOf = (table: string, field: string, { pattern, timeZone }: Sequence): string =>
  `${noteOf(table, field)}${pattern} ${timeZone}`;

const counters = (table: string, field: string | undefined): string =>
  `"table" = ${literal(table)}${field === undefined ? '' : ` and "field" = ${literal(field)}`}`;

/** The steps that keep the counters of renamed tables and fields, and number the rows that have no number. */
function* compareSequences({ table, actualName, desired, actual }: Comparison): Generator<Step> {
  const move = (assignment: string, from: string, to: string): Step =>
    change(
      'incompatible',
      `delete from ${quote(sequences)} where ${to}`,
      `update ${quote(sequences)} set ${assignment} where ${from}`,
    );
  for (const [former, { name, sequence }] of desired) {
    if (!sequence) continue;
    if (actual.tables.has(sequences) && (actualName !== table.name || former !== name)) {
      const assignment = `"table" = ${literal(table.name)}, "field" = ${literal(name)}`;
      yield move(assignment, counters(actualName, former), counters(table.name, name));
    }
    if (actual.required.has(nameOf(table.name, name, sequence))) continue;
    const wasNumbered = [...actual.required].some((note) => note.startsWith(noteOf(actualName, former)));
    const note = noteStep(nameOf(table.name, name, sequence));
    const rewrite = numbering(table, name, sequence);
    // Servers of a version without the sequence would store records without numbers.
    const effect = wasNumbered ? ({} as const) : ({ effect: 'incompatible', need: 'server' } as const);
    yield { ...note, ...effect, kind: 'rewrite', rewrite };
  }
}

const numbering = (table: Table, field: string, sequence: Sequence): Computation => ({
  table,
  description: `Each row of ${table.name} without a ${field} gets one, in the order of creation.`,
  async compute(database, transaction) {
    await followStored(database, table, field, sequence);
    return numberRows(database, table, field, sequence, transaction);
  },
});

/** Has the counters of a field go on behind the numbers that rows have. */
async function followStored(database: Database, table: Table, field: string, { pattern }: Sequence): Promise<void> {
  const last = new Map<string, number>();
  for await (const rows of slicesOf(database, table.name, [quote(field)])) {
    for (const [organization, , number] of rows) {
      const counted = number === null ? undefined : countIn(pattern, String(number));
      if (!counted || counted.count > maxCount) continue;
      const key = JSON.stringify([Number(organization), counted.around]);
      last.set(key, Math.max(last.get(key) ?? 0, counted.count));
    }
  }
  for (const [key, count] of last) {
    const [organization, around] = JSON.parse(key) as [number, string];
    await database.query(counterRow(rowOf(table, field, organization, around, count), atLeast));
  }
}

const rowOf = (table: Table, field: string, organization: number, around: string, last: number): string =>
  `values (${[organization, literal(table.name), literal(field), literal(around), last].join(', ')})`;

/** Numbers the rows without a number in the order of their creation. @returns how many they were */
async function numberRows(
  database: Database,
  table: Table,
  field: string,
  sequence: Sequence,
  transaction: Transaction,
): Promise<number> {
  const none = `${quote(field)} is null`;
  const organizations = await database.query(
    `select distinct ${quote(organizationColumn)} from ${quote(table.name)} where ${none}`,
  );
  let count = 0;
  for (const [organization] of organizations) {
    const rows = `${quote(table.name)} where ${quote(organizationColumn)} = ${Number(organization)}`;
    const key = sortKey(table);
    const time = table.kind === 'line-item' ? 'null' : '"created_at"';
    for (let behind = ''; ;) {
      const slice = await transaction(database, async () => {
        const found = await database.query(
          `select "id", ${time}, ${key} from ${rows} and ${none}${behind} order by ${key} limit ${rowsPerSlice}` +
            database.dialect.lock.forDelete,
        );
        await numberSlice(database, table, field, sequence, Number(organization), found);
        return found;
      });
      count += slice.length;
      const last = slice.at(-1);
      if (!last) break;
      behind = ` and ${key} > ${literal(String(last[2]))}`;
    }
  }
  return count;
}

/** Numbers rows of an organization, which no other writer changes meanwhile. */
async function numberSlice(
  database: Database,
  table: Table,
  field: string,
  { pattern, timeZone }: Sequence,
  organization: number,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const timeOf = ([id, time]: readonly unknown[]): string =>
    String(time ?? new Date(timeOfId(String(id)) ?? Date.now()).toISOString());
  for (const [around, some] of Map.groupBy(rows, (row) => surroundingsAt(pattern, timeZone, timeOf(row)))) {
    const added = counterRow(
      rowOf(table, field, organization, around, some.length),
      `${quote(sequences)}."last" + excluded."last"`,
    );
    const [[last] = []] = await database.query(`${added} returning "last"`);
    const first = Number(last) - some.length + 1;
    const numbers = some.map(
      ([id], at) => `(${literal(String(id))}, ${literal(numberWith(pattern, around, first + at))})`,
    );
    // Both engines name the columns of a list of values so.
    await database.query(
      `update ${quote(table.name)} set ${quote(field)} = _new.column2 from (values ${numbers.join(', ')}) as _new ` +
        `where ${quote(table.name)}.${quote(organizationColumn)} = ${organization} and ${quote(table.name)}."id" = _new.column1`,
    );
  }
}

export const migration: MigrationPart = {
  notes: (table) => numberedColumns(table).map(({ name, sequence }) => nameOf(table.name, name, sequence)),
  // Counters may remain from a former table of this name.
  create: (table) =>
    numberedColumns(table).length === 0
      ? []
      : [`delete from ${quote(sequences)} where ${counters(table.name, undefined)}`],
  compare: compareSequences,
  rewrites: (tables) =>
    tables.flatMap((table) => numberedColumns(table).map(({ name, sequence }) => numbering(table, name, sequence))),
};
