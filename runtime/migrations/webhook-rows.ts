import { currentTime } from '../model/ids.ts';
import type { Table } from '../model/table.ts';
import { hookedEvents } from '../records/hooks.ts';
import { events, literal, organizationColumn, organizations, quote, webhooks } from '../sql/schema.ts';
import type { Database } from './driver.ts';
import { numberNew } from './number-events.ts';

/** The URL of the webhook of each organization that has the service's own hooks called after events. */
export const hooksUrl = 'after-hooks';

interface NewWebhook {
  readonly id: string;
  readonly organization: number;
  readonly url: string;
  readonly secret: string;
  /** The events that it gets. */
  readonly filter: string;
  readonly time: string;
}

const owner = quote(organizationColumn);

/** Inserts a webhook, which gets the events from now on, unless it is there. */
export async function insertWebhook(
  database: Database,
  { id, organization, url, secret, filter, time }: NewWebhook,
): Promise<void> {
  // Citus refuses a subquery in an insert.
  const newest = `select coalesce(max("number"), 0) from ${quote(events)} where ${owner} = ${organization}`;
  const [[last] = []] = await database.query(newest);
  const values = [id, organization, url, secret, filter, 'on', null, Number(last), time].map(literal).join(', ');
  await database.query(`insert into ${quote(webhooks)} values (${values}) on conflict do nothing`);
}

/** Has the hooks of a service called after the events from now on, for each organization for which they are not yet. */
export async function addHookRows(database: Database, tables: readonly Table[]): Promise<void> {
  const filter = hookedEvents(tables).join(' ');
  if (filter === '') return;
  const ofHooks = `${quote(webhooks)} where "url" = ${literal(hooksUrl)}`;
  const lacking = await database.query(
    `select "id" from ${quote(organizations)} where "deleted_at" is null except select ${owner} from ${ofHooks}`,
  );
  for (const organization of lacking.map(([id]) => Number(id))) {
    while (await numberNew(database, organization));
    const row = { id: `hooks_${organization}`, organization, url: hooksUrl, secret: '', filter, time: currentTime() };
    await insertWebhook(database, row);
  }
}

/** Has the hooks of this version called from now on, and no others: those that organizations got from another one are replaced. */
export async function replaceHookFilters(database: Database, tables: readonly Table[]): Promise<void> {
  const filter = literal(hookedEvents(tables).join(' '));
  if (filter === literal('')) return;
  await database.query(
    `update ${quote(webhooks)} set "filter" = ${filter} where "url" = ${literal(hooksUrl)} and "filter" <> ${filter}`,
  );
}
