import { changeOrganizations, liveOrganization } from '../organizations/organizations.ts';
import type { Database } from '../../migrations/types.ts';
import { rowsPerSlice } from '../../migrations/limits.ts';
import { numberNew } from '../trail/number-events.ts';
import { inSlices } from '../../migrations/slices.ts';
import { transact } from '../../migrations/transact.ts';
import { insertReceiver } from '../delivery/receivers.ts';
import { CliError, UsageError } from '../../kernel/model/errors.ts';
import { newId } from '../../kernel/model/ids.ts';
import { defaultListLimit } from '../../kernel/model/limits.ts';
import { eventOperationsOf } from '../../kernel/model/operations.ts';
import { didYouMean } from '../../kernel/model/suggest.ts';
import type { Table } from '../../kernel/model/table.ts';
import { hasEvents } from '../../kernel/sql/changes.ts';
import { literal, organizationColumn, organizations, quote } from '../../kernel/sql/schema.ts';
import { deliveries, receivers } from '../delivery/tables.ts';
import { never, ofReceiver } from '../delivery/queue.ts';
import { newSecret } from './signature.ts';

/** A webhook as lists show it. */
export interface ListedWebhook {
  readonly id: string;
  readonly organization: number;
  readonly organizationName: string;
  readonly url: string;
  readonly filter: string;
  readonly state: 'on' | 'paused' | 'off';
  /** The reason, if it is off. */
  readonly why: string | null;
  readonly createdAt: string;
}

/** A delivery as lists show it. Numbers may be texts. */
export interface ListedDelivery {
  readonly event: unknown;
  readonly type: string;
  readonly record: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly attempts: unknown;
  /** The status of the last response, or why there was none. */
  readonly answer: string | null;
  /** Milliseconds of the last attempt. */
  readonly duration: unknown;
  /** Milliseconds: the time of the next attempt, or of the last one if it is over; null behind another delivery of the record. */
  readonly at: unknown;
}

const table = quote(receivers);
const ofDeliveries = quote(deliveries);

/** The filter that `--events` gives. @throws UsageError if it names what is not there */
export function parseFilter(tables: readonly Table[], text: string): string {
  const noted = new Map(tables.filter(hasEvents).map((one) => [one.path, eventOperationsOf(one)]));
  const parts = text.split(',').map((part) => part.trim());
  for (const part of parts) {
    const [path = '', operation] = part.split(/:(.*)/s);
    const known = noted.get(path);
    if (!known) throw unknown('resource with events', path, [...noted.keys()]);
    if (operation !== undefined && !known.includes(operation)) throw unknown(`event of ${path}`, operation, known);
  }
  return [...new Set(parts)].join(' ');
}

const unknown = (what: string, name: string, known: readonly string[]): UsageError =>
  new UsageError(`--events: there is no ${what} ${JSON.stringify(name)}${didYouMean(name, known) || '.'}`);

/** Creates a webhook, which gets the events from now on. @throws CliError if there is no such organization */
export async function createWebhook(
  database: Database,
  { organization, url, filter }: { readonly organization: string; readonly url: URL; readonly filter: string },
): Promise<{ readonly id: string; readonly secret: string }> {
  const { id: owner } = await liveOrganization(database, organization);
  while (await numberNew(database, owner));
  const { id, time } = newId('webhook');
  const secret = newSecret();
  // No organization is deleted meanwhile.
  await changeOrganizations(database, async () => {
    await liveOrganization(database, organization);
    await insertReceiver(database, { id, organization: owner, url: url.href, secret, filter, time });
  });
  return { id, secret };
}

/** All webhooks, those of one organization after those of another, in the order of their creation. */
export async function listWebhooks(database: Database): Promise<ListedWebhook[]> {
  const rows = await database.query(
    `select _hook."id", _owner."id", _owner."name", "url", "filter", "state", "why", _hook."created_at" ` +
      `from ${table} as _hook join ${quote(organizations)} as _owner on _owner."id" = _hook.${quote(organizationColumn)} ` +
      `order by _owner."id", _hook."id"`,
  );
  return rows.map(([id, organization, organizationName, url, filter, state, why, createdAt]) => ({
    ...({ id, organizationName, url, filter, state, why, createdAt } as Omit<ListedWebhook, 'organization'>),
    organization: Number(organization),
  }));
}

/** The last deliveries of a webhook, the newest first. @throws CliError if there is no such webhook */
export async function listDeliveries(database: Database, id: string): Promise<ListedDelivery[]> {
  const webhook = await webhookNamed(database, id);
  const rows = await database.query(
    `select "event", "type", "record", "state", "attempts", "answer", "duration", nullif("at", ${never}) from ${ofDeliveries} ` +
      `where ${ofReceiver(webhook)} order by "event" desc limit ${defaultListLimit}`,
  );
  return rows.map(
    ([event, type, record, state, attempts, answer, duration, at]) =>
      ({ event, type, record, state, attempts, answer, duration, at }) as ListedDelivery,
  );
}

/** Changes deliveries of a webhook so that they are sent at once, but for those behind another one. @returns how many */
async function sendNow(database: Database, webhook: ListedWebhook, condition: string): Promise<number> {
  const set = `"state" = 'waiting', "attempts" = 0, "at" = case when "at" = ${never} then ${never} else 0 end`;
  const rows = `${ofDeliveries} set ${set} where ${ofReceiver(webhook)} and ${condition}`;
  return (await database.query(`update ${rows} returning 1`)).length;
}

/** Changes a webhook. @throws CliError if there is no such webhook */
const change = (database: Database, id: string, work: (webhook: ListedWebhook) => Promise<void>): Promise<void> =>
  transact(database, async () => work(await webhookNamed(database, id)));

/** Sends an event again, at once. @throws CliError if there is no such delivery */
export const redeliver = (database: Database, id: string, event: string): Promise<void> =>
  change(database, id, async (webhook) => {
    if (/^\d{1,15}$/.test(event) && (await sendNow(database, webhook, `"event" = ${event}`)) > 0) return;
    throw new CliError(
      `The webhook has no delivery ${JSON.stringify(event)}. \`npm run webhooks -- deliveries ${id}\` lists the last ones.`,
    );
  });

/** Stops sending, until `resumeWebhook`. @throws CliError if there is no such webhook */
export const pauseWebhook = (database: Database, id: string): Promise<void> =>
  change(database, id, () => setState(database, id, 'paused'));

/** Goes on with all that was not delivered. @throws CliError if there is no such webhook */
export const resumeWebhook = (database: Database, id: string): Promise<void> =>
  change(database, id, async (webhook) => {
    await setState(database, id, 'on');
    await sendNow(database, webhook, `"state" = 'waiting' and "at" > 0`);
  });

async function setState(database: Database, id: string, state: ListedWebhook['state']): Promise<void> {
  await database.query(`update ${table} set "state" = '${state}', "why" = null where "id" = ${literal(id)}`);
}

/** Removes a webhook, then its deliveries. @throws CliError if there is no such webhook */
export async function removeWebhook(database: Database, id: string): Promise<void> {
  const webhook = await webhookNamed(database, id);
  await database.query(`delete from ${table} where "id" = ${literal(id)}`);
  const rows = `${ofDeliveries} where ${ofReceiver(webhook)}`;
  await inSlices(
    database,
    `delete from ${rows} and "event" in (select "event" from ${rows} limit ${rowsPerSlice}) returning 1`,
  );
}

async function webhookNamed(database: Database, id: string): Promise<ListedWebhook> {
  const all = await listWebhooks(database);
  const found = all.find((webhook) => webhook.id === id);
  if (found) return found;
  const ids = all.map((webhook) => webhook.id);
  throw new CliError(
    `There is no webhook ${JSON.stringify(id)}${didYouMean(id, ids) || '.'} \`npm run webhooks -- list\` lists them.`,
  );
}
