import type { CommandContext } from '../../kernel/feature.ts';
import {
  createWebhook,
  listDeliveries,
  type ListedDelivery,
  type ListedWebhook,
  listWebhooks,
  parseFilter,
  pauseWebhook,
  redeliver,
  removeWebhook,
  resumeWebhook,
} from './administration.ts';
import { parseReceiver } from './addresses.ts';
import { chooseCommand, type Command, type Given, parseArguments, usageError } from '../../commands/arguments.ts';
import { webhookSettings } from './settings.ts';
import { printTable, shownTime } from '../../commands/print-table.ts';
import { withMigratedDatabase } from '../../commands/with-database.ts';

export const help = `Manages webhooks, which send events to other programs, while servers use the database.

Usage:
  npm run webhooks -- create --url URL --events EVENT,… [options]
                                    creates a webhook and prints its secret; it is shown only once
  npm run webhooks -- list          lists the webhooks of the database
  npm run webhooks -- deliveries ID lists the last events of a webhook, and how they were delivered
  npm run webhooks -- redeliver ID NUMBER
                                    sends an event of this number again
  npm run webhooks -- pause ID      sends nothing more; the events wait
  npm run webhooks -- resume ID     sends what waits, also if the webhook was off
  npm run webhooks -- remove ID     removes a webhook with its deliveries

Servers notice a change within a second, and the first webhook within ten.

Options of create:
  --url URL            where to send the events, by https:
  --events EVENT,…     which ones: a resource, like crm/lead, or one of its operations, like crm/lead:create
  --organization NAME  whose events (default: main)

Options:
  --help, -h  prints this

Examples:
  npm run webhooks -- create --url https://example.com/records --events crm/lead,support/issue:create
`;

const text = { type: 'string' } as const;
const ofOne = { help, names: [1, 1] } as const;

const commands = {
  create: { help, options: { url: text, events: text, organization: { ...text, default: 'main' } } },
  list: { help },
  deliveries: ofOne,
  redeliver: { help, names: [2, 2] },
  pause: ofOne,
  resume: ofOne,
  remove: ofOne,
} as const satisfies Readonly<Record<string, Command>>;

const changes = {
  pause: [pauseWebhook, 'is paused'],
  resume: [resumeWebhook, 'is on'],
  remove: [removeWebhook, 'is removed'],
} as const;

/**
 * Creates, lists, changes or removes webhooks, while servers use the database.
 *
 * @throws CliError that says what is wrong; nothing is changed then
 */
export async function run(context: CommandContext, [first, ...rest]: readonly string[]): Promise<void> {
  const name = chooseCommand(help, commands, first);
  if (name === 'create') return create(context, parseArguments(commands.create, rest));
  const { positionals } = parseArguments(commands[name], rest);
  if (name === 'list') return list(context);
  const [id = '', event = ''] = positionals;
  if (name === 'deliveries') return showDeliveries(context, id);
  if (name === 'redeliver') {
    await withMigratedDatabase(context, 'write', (database) => redeliver(database, id, event));
    return console.log(`The event ${event} is sent again.`);
  }
  const [change, what] = changes[name];
  await withMigratedDatabase(context, 'write', (database) => change(database, id));
  console.log(`The webhook ${id} ${what}.`);
}

async function create(context: CommandContext, { values }: Given<typeof commands.create>): Promise<void> {
  const { url: given, events, organization } = values;
  if (given === undefined) throw usageError(help, '--url is missing: it says where to send the events.');
  if (events === undefined) throw usageError(help, '--events is missing: `--events crm/lead` is all of one resource.');
  const url = parseReceiver(given, context.settings(webhookSettings).WEBHOOK_PRIVATE);
  const filter = parseFilter(context.service.tables, events);
  const { id, secret } = await withMigratedDatabase(context, 'write', (database) =>
    createWebhook(database, { organization, url, filter }),
  );
  console.error(`The webhook ${id} of ${organization} gets events from now on. Its secret is not shown again:`);
  console.log(secret);
}

async function list(context: CommandContext): Promise<void> {
  const found = await withMigratedDatabase(context, 'read', listWebhooks);
  if (found.length === 0) return console.error('There are no webhooks.');
  printTable([['ID', 'ORGANIZATION', 'URL', 'EVENTS', 'CREATED', 'STATE'], ...found.map(cellsOf)]);
}

const cellsOf = ({ id, organizationName, url, filter, createdAt, state, why }: ListedWebhook): string[] => [
  id,
  organizationName,
  url,
  filter.replaceAll(' ', ','),
  shownTime(createdAt),
  why === null ? state : `${state}: ${why}`,
];

async function showDeliveries(context: CommandContext, id: string): Promise<void> {
  const found = await withMigratedDatabase(context, 'read', (database) => listDeliveries(database, id));
  if (found.length === 0) return console.error('There are no deliveries yet.');
  printTable([['NUMBER', 'EVENT', 'RECORD', 'ATTEMPTS', 'LAST', 'MS', 'STATE'], ...found.map(deliveryCells)]);
}

const deliveryCells = ({ event, type, record, attempts, answer, duration, state, at }: ListedDelivery): string[] => [
  String(event),
  type,
  record,
  String(attempts),
  answer ?? '',
  String(duration ?? ''),
  Number(at) === 0 ? state : `${state} ${state === 'waiting' ? 'until ' : ''}${new Date(Number(at)).toISOString()}`,
];
