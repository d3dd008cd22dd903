import type { Database } from '../migrations/driver.ts';
import { organizationColumn, quote } from '../sql/schema.ts';

export const events = '_event';

/** Numbers what is committed (PostgreSQL). */
export async function numberEvents(_database: Database): Promise<void> {}

/** The event of an organization with this number, as the API shows it; undefined if it was removed. */
export async function readEvent(
  database: Database,
  organization: number,
  number: number,
): Promise<{ readonly type: string; readonly time: string; readonly json: string } | undefined> {
  const columns = ['number', 'time', 'actor', 'request_id', 'operation', 'resource', 'record', 'version', 'changes'];
  const [row] = await database.query(
    `select ${columns.map(quote).join(', ')} from ${quote(events)} ` +
      `where ${quote(organizationColumn)} = ${organization} and "number" = ${number}`,
  );
  if (!row) return undefined;
  const event = Object.fromEntries(columns.map((name, index) => [name, row[index]]));
  event['number'] = Number(event['number']);
  event['version'] = Number(event['version']);
  event['changes'] = JSON.parse(String(event['changes']));
  return {
    type: `${String(event['resource'])}.${String(event['operation'])}`,
    time: String(event['time']),
    json: JSON.stringify(event),
  };
}

/** The number of the last event of an organization; 0 if there is none. */
export async function lastEvent(database: Database, organization: number): Promise<number> {
  const [[number] = []] = await database.query(
    `select max("number") from ${quote(events)} where ${quote(organizationColumn)} = ${organization}`,
  );
  return Number(number ?? 0);
}
