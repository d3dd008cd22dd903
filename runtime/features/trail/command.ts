import { setTimeout as pause } from 'node:timers/promises';
import type { CommandContext } from '../../kernel/feature.ts';
import { Api } from '../../data/transfer/api.ts';
import { checkInterval, maxListLimit } from '../../kernel/model/limits.ts';
import { shorten } from '../../kernel/model/text.ts';
import type { Event } from './events.ts';
import { numberOf, parseArguments } from '../../commands/arguments.ts';
import { serverHelp, serverOptions } from '../../commands/server-options.ts';

export const help = `Shows what was done to records, through the API of a running server.

Usage: npm run events -- [options]

Options:
  --resource NAME        only of this resource, like crm/lead
  --record ID            only of this record
  --operation NAME       only of this operation: create, update, delete, reorder, or a transition
  --actor NAME           only of this API key, by its id
  --last NUMBER          the newest so many (default: 20, at most 1000)
  --after NUMBER         all from behind the event with this number on, instead
  --follow               goes on with new ones as they come
  --json                 prints each as a line of JSON
${serverHelp}

Examples:
  npm run events -- --follow                       what is done from now on
  npm run events -- --record lead_01J… --last 100  the history of a record
  npm run events -- --after 0 --json > events.ndjson
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const filters = { resource: text, record: text, operation: text, actor: text };
const options = { ...filters, last: text, after: text, follow: flag, json: flag, ...serverOptions } as const;

interface Page {
  readonly data: readonly (Event & { readonly actor: string | null })[];
  readonly has_more: boolean;
}

/**
 * Prints events, oldest first.
 *
 * @throws CliError that says what is wrong
 */
export async function run(context: CommandContext, args: readonly string[]): Promise<void> {
  const { values } = parseArguments({ help, options }, args);
  const last = numberOf(help, 'last', values.last ?? '20', 1, maxListLimit);
  const from =
    values.after === undefined ? undefined : numberOf(help, 'after', values.after, 0, Number.MAX_SAFE_INTEGER);
  const filter = Object.keys(filters).flatMap((name) => {
    const value = values[name as keyof typeof filters];
    return value === undefined ? [] : [[name, value]];
  });
  const api = new Api(await context.server(values.url));
  const read = async (query: Readonly<Record<string, string>>): Promise<Page> => {
    const parameters = new URLSearchParams([...filter, ...Object.entries(query)]);
    return (await api.get<Page>(`/api/events?${parameters}`)).body;
  };
  const print = ({ data }: Page): void => {
    for (const event of data) console.log(values.json ? JSON.stringify(event) : lineOf(event));
  };
  let after = from ?? 0;
  if (from === undefined) {
    const { data } = await read({ sort: '-number', limit: String(last) });
    print({ data: data.toReversed(), has_more: false });
    after = data[0]?.number ?? 0;
    if (!values.follow) return;
  }
  for (;;) {
    const page = await read({ after: String(after), limit: String(maxListLimit) });
    print(page);
    after = page.data.at(-1)?.number ?? after;
    if (page.has_more) continue;
    if (!values.follow) return;
    await pause(checkInterval);
  }
}

/** An event in a line for people. */
function lineOf({ number, time, actor, resource, operation, record, changes }: Page['data'][number]): string {
  const changed = Object.entries(changes).filter(([name]) => name !== 'id' && !name.endsWith('ed_at'));
  const words = changed.map(([name, [before, after]]) => {
    const [was, is] = [before, after].map((value) => shorten(JSON.stringify(value)));
    return operation === 'create'
      ? `${name} ${is}`
      : operation === 'delete'
        ? `${name} ${was}`
        : `${name} ${was} -> ${is}`;
  });
  return `${number}  ${time}  ${actor ?? '-'}  ${operation} ${resource} ${record}${words.length > 0 ? `: ${words.join(', ')}` : ''}`;
}
