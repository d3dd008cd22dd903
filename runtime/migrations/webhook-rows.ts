import { currentTime } from '../model/ids.ts';
import type { Table } from '../model/table.ts';
import { hookedEvents } from '../records/hooks.ts';
import { literal, quote } from '../sql/schema.ts';
import { events, organizationColumn, organizations, webhooks } from '../sql/helper-tables.ts';
import type { Database } from './types.ts';
import { numberNew } from './number-events.ts';

const hooksScheme = 'after-hooks:';

/** Whether a webhook has the service's own hooks called after events: each organization has one for each resource with such hooks. */
export const isOfHooks = ({ url }: { readonly url: string }): boolean => url.startsWith(hooksScheme);

/** The resources with hooks after events: the URLs of their webhooks, and the events that these get. */
const hookedTables = (tables: readonly Table[]): { name: string; url: string; filter: string }[] =>
  tables.flatMap((table) => {
    const filter = hookedEvents([table]).join(' ');
    return filter === '' ? [] : [{ name: table.name, url: hooksScheme + table.path, filter }];
  });

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
  for (const { name, url, filter } of hookedTables(tables)) {
    const ofHooks = `${quote(webhooks)} where "url" = ${literal(url)}`;
    const lacking = await database.query(
      `select "id" from ${quote(organizations)} where "deleted_at" is null except select ${owner} from ${ofHooks}`,
    );
    for (const organization of lacking.map(([id]) => Number(id))) {
      while (await numberNew(database, organization));
      const row = { id: `hooks_${organization}_${name}`, organization, url, secret: '', filter, time: currentTime() };
      await insertWebhook(database, row);
    }
  }
}

/** Has the hooks of this version called from now on, and no others: those that organizations got from another one are replaced. */
export async function replaceHookFilters(database: Database, tables: readonly Table[]): Promise<void> {
  for (const hooked of hookedTables(tables)) {
    const filter = literal(hooked.filter);
    const isOutdated = `"url" = ${literal(hooked.url)} and "filter" <> ${filter}`;
    // All nodes of a cluster are needed for a change, one for a look.
    const outdated = await database.query(`select 1 from ${quote(webhooks)} where ${isOutdated} limit 1`);
    if (outdated.length === 0) continue;
    await database.query(`update ${quote(webhooks)} set "filter" = ${filter} where ${isOutdated}`);
  }
}
