import { checkInterval } from '../../kernel/model/limits.ts';
import { literal, organizationColumn, quote } from '../../kernel/sql/schema.ts';
import type { MigrationPart } from '../../migrations/part.ts';
import type { Database } from '../../migrations/types.ts';
import { events } from '../trail/event-table.ts';
import { receivers } from './tables.ts';

/** Milliseconds between two looks whether there is a receiver at all, and between two counts of what waits. */
export const rareInterval = 10 * checkInterval;

/** A receiver of the events of an organization. */
export interface Receiver {
  readonly id: string;
  readonly organization: number;
  readonly url: string;
  readonly secret: string;
  /** The resources whose events it gets, or their operations, like `crm/lead:create`, separated by spaces. */
  readonly filter: string;
  /** The number of the last event that was queued. */
  readonly position: number;
}

interface NewReceiver extends Omit<Receiver, 'position'> {
  readonly time: string;
}

const owner = quote(organizationColumn);

/** Inserts a receiver, which gets the events from now on, unless it is there. */
export async function insertReceiver(
  database: Database,
  { id, organization, url, secret, filter, time }: NewReceiver,
): Promise<void> {
  // Citus refuses a subquery in an insert.
  const newest = `select coalesce(max("number"), 0) from ${quote(events)} where ${owner} = ${organization}`;
  const [[last] = []] = await database.query(newest);
  const values = [id, organization, url, secret, filter, 'on', null, Number(last), time].map(literal).join(', ');
  await database.query(`insert into ${quote(receivers)} values (${values}) on conflict do nothing`);
}

/** Whether there is any receiver, also one that is paused. */
export const hasReceivers = async (database: Database): Promise<boolean> =>
  (await database.query(`select 1 from ${quote(receivers)} limit 1`)).length > 0;

/** The receivers that are neither paused nor off. */
export async function listActive(database: Database): Promise<Receiver[]> {
  const rows = await database.query(
    `select "id", ${owner}, "url", "secret", "filter", "position" from ${quote(receivers)} where "state" = 'on'`,
  );
  return rows.map(([id, organization, url, secret, filter, position]) => ({
    ...({ id, url, secret, filter } as Pick<Receiver, 'id' | 'url' | 'secret' | 'filter'>),
    organization: Number(organization),
    position: Number(position),
  }));
}

/** Receivers that did not get removed events go on behind them. */
async function skipRemoved(database: Database, organization: number, last: number): Promise<string[]> {
  const behind = `${owner} = ${organization} and "position" < ${last}`;
  const skipped = await database.query(
    `update ${quote(receivers)} set "position" = ${last} where ${behind} returning "id"`,
  );
  return skipped.map(([id]) => `Events up to ${last} were removed before the webhook ${String(id)} got them.`);
}

export const migration: MigrationPart = { skipRemoved };
