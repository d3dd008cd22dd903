import { type Database, transact } from '../migrations/driver.ts';
import { eventJson, findUnnumbered, numberEvents, shownColumns } from '../sql/events.ts';
import { events, literal, organizationColumn, quote } from '../sql/schema.ts';
import type { Row } from '../sql/steps.ts';
import type { Statement } from '../sql/table-sql.ts';

/** A condition: the events of an organization. */
export const eventsOf = (organization: number): string =>
  `${quote(events)} where ${quote(organizationColumn)} = ${organization}`;

const dialect = { parameter: (n: number): string => `$${n}` };

/** Runs a statement of `dialect`, whose text has no other dollar signs. */
const ask = (database: Database, { text, values }: Statement): Promise<unknown[][]> =>
  database.query(text.replaceAll(/\$(\d+)/g, (_, n: string) => literal(values[Number(n) - 1] as number)));

/**
 * Gives events that have no number yet one: some of those that are committed. SQLite numbers each as it is written.
 *
 * @returns whether there may be more
 */
export async function numberNew(database: Database, organization: number): Promise<boolean> {
  if (database.isAtomic || (await ask(database, findUnnumbered(dialect, organization))).length === 0) return false;
  return transact(database, async () => {
    const steps = numberEvents(dialect, organization);
    let step = steps.next();
    while (!step.done) {
      const rows: Row[][] = [];
      for (const statement of step.value.statements) rows.push(await ask(database, statement));
      step = steps.next(rows);
    }
    return step.value;
  });
}

/** The last number that an event of an organization has; 0 if there is none. */
export async function lastNumber(database: Database, organization: number): Promise<number> {
  const [[number] = []] = await database.query(`select max("number") from ${eventsOf(organization)}`);
  return Number(number ?? 0);
}

/** The JSON of an event, as the API shows it, and its time; undefined if it was removed. */
export async function readEvent(
  database: Database,
  organization: number,
  number: number,
): Promise<{ readonly json: string; readonly time: string } | undefined> {
  const [row] = await database.query(
    `select "time", ${shownColumns} from ${eventsOf(organization)} and "number" = ${number}`,
  );
  return row && { time: String(row[0]), json: eventJson(row.slice(1)) };
}
