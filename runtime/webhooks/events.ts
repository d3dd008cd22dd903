import type { Database } from '../migrations/driver.ts';
import { eventJson, shownColumns } from '../sql/events.ts';
import { events, organizationColumn, quote } from '../sql/schema.ts';

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
