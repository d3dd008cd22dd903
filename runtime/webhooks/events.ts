import { type Database, transact } from '../migrations/driver.ts';
import { eventJson, findUnnumbered, numberEvents, shownColumns } from '../sql/events.ts';
import { events, organizationColumn, quote } from '../sql/schema.ts';
import type { Row } from '../sql/steps.ts';

/**
 * Gives events that have no number yet one: some of those that are committed. SQLite numbers each as it is written.
 *
 * @returns whether there may be more
 */
export async function numberNew(database: Database, organization: number): Promise<boolean> {
  // The only parameter, as text.
  const dialect = { parameter: () => String(organization) };
  const { text } = findUnnumbered(dialect, organization);
  if (database.isAtomic || (await database.query(text)).length === 0) return false;
  return transact(database, async () => {
    const steps = numberEvents(dialect, organization);
    let step = steps.next();
    while (!step.done) {
      const rows: Row[][] = [];
      for (const statement of step.value.statements) rows.push(await database.query(statement.text));
      step = steps.next(rows);
    }
    return step.value;
  });
}

/** The message about an event; undefined if the event was removed. @param type like `crm/lead.create` */
export async function readMessage(
  database: Database,
  organization: number,
  number: number,
  type: string,
): Promise<string | undefined> {
  const [row] = await database.query(
    `select "time", ${shownColumns} from ${quote(events)} ` +
      `where ${quote(organizationColumn)} = ${organization} and "number" = ${number}`,
  );
  if (!row) return undefined;
  const [time, ...shown] = row;
  return `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(time)},"data":${eventJson(shown)}}`;
}
