import { currentTime } from '../../kernel/model/ids.ts';
import type { Table } from '../../kernel/model/table.ts';
import { literal, organizationColumn, organizations, quote } from '../../kernel/sql/schema.ts';
import type { MigrationPart } from '../../migrations/part.ts';
import type { Database } from '../../migrations/types.ts';
import { insertReceiver } from '../delivery/receivers.ts';
import { receivers } from '../delivery/tables.ts';
import { numberNew } from '../trail/number-events.ts';
import { hooksScheme } from './hook-calls.ts';
import { hookedEvents } from '../hooks/hooks.ts';

/** The resources with hooks after events: the URLs of their receivers, one for each organization, and the events that these get. */
const hookedTables = (tables: readonly Table[]): { name: string; url: string; filter: string }[] =>
  tables.flatMap((table) => {
    const filter = hookedEvents([table]).join(' ');
    return filter === '' ? [] : [{ name: table.name, url: hooksScheme + table.path, filter }];
  });

/** Has the hooks of a service called after the events from now on, for each organization for which they are not yet. */
async function addRows(database: Database, tables: readonly Table[]): Promise<void> {
  for (const { name, url, filter } of hookedTables(tables)) {
    const ofHooks = `${quote(receivers)} where "url" = ${literal(url)}`;
    const lacking = await database.query(
      `select "id" from ${quote(organizations)} where "deleted_at" is null except select ${quote(organizationColumn)} from ${ofHooks}`,
    );
    for (const organization of lacking.map(([id]) => Number(id))) {
      while (await numberNew(database, organization));
      const row = { id: `hooks_${organization}_${name}`, organization, url, secret: '', filter, time: currentTime() };
      await insertReceiver(database, row);
    }
  }
}

/** Has the hooks of this version called from now on, and no others: those that organizations got from another one are replaced. */
async function replaceRows(database: Database, tables: readonly Table[]): Promise<void> {
  for (const hooked of hookedTables(tables)) {
    const filter = literal(hooked.filter);
    const isOutdated = `"url" = ${literal(hooked.url)} and "filter" <> ${filter}`;
    // All nodes of a cluster are needed for a change, one for a look.
    const outdated = await database.query(`select 1 from ${quote(receivers)} where ${isOutdated} limit 1`);
    if (outdated.length === 0) continue;
    await database.query(`update ${quote(receivers)} set "filter" = ${filter} where ${isOutdated}`);
  }
}

export const migration: MigrationPart = { addRows, replaceRows };
