import { defaultListLimit } from '../kernel/model/limits.ts';
import { Filler, type Made } from '../data/demo/fill.ts';
import type { CommandContext } from '../kernel/feature.ts';
import { counted } from '../kernel/model/text.ts';
import { Api } from '../data/transfer/api.ts';
import { Progress } from '../data/progress.ts';
import { type Resource, writableResources } from '../data/transfer/resource.ts';
import { numberOf, parseArguments } from '../commands/arguments.ts';
import { serverHelp, serverOptions } from '../commands/server-options.ts';

export const help = `Fills a running server with invented records of every resource, linked with each other.

Usage: npm run demo -- [options]

Options:
  --count NUMBER         how many records and line items (default: 200)
  --seed NUMBER          another one gives other records (default: 1)
  --again                adds records if there are 20 already, or as many as it makes
${serverHelp}

Examples:
  npm run demo                             makes 200 records and line items
  npm run demo -- --count 100000 --seed 7  makes many others
`;

const options = {
  count: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  again: { type: 'boolean' },
  ...serverOptions,
} as const;

/**
 * Fills a running server with invented records. If there are 20 already, it makes none and says so.
 *
 * @throws CliError if the server refuses, or does not respond
 */
export async function run(context: CommandContext, args: readonly string[]): Promise<void> {
  const { values } = parseArguments({ help, options }, args);
  const count = numberOf(help, 'count', values.count, 1, Number.MAX_SAFE_INTEGER);
  const seed = numberOf(help, 'seed', values.seed, 0, 2 ** 32 - 1);
  const server = await context.server(values.url);
  const api = new Api(server);
  const resources = writableResources(context.service.tables);
  const existing = await countRecords(api, resources);
  // With fewer it was tried out by hand.
  if (existing >= defaultListLimit && !values.again) {
    console.log(
      `${server.url} has ${counted(existing, 'record')} already: nothing was made. \`npm run demo -- --again\` makes more.`,
    );
    return;
  }
  const progress = new Progress('Making records');
  let made: Made = { records: 0, items: 0 };
  const filler = new Filler(api, { count, seed }, (now) => {
    made = now;
    progress.show(now.records + now.items, (now.records + now.items) / count);
  });
  const skipped = await progress.during(filler.fill(resources));
  const numbers = [counted(made.records, 'record'), ...(made.items > 0 ? [counted(made.items, 'line item')] : [])];
  console.log(`Made ${numbers.join(' and ')} on ${server.url} in ${progress.seconds.toFixed(1)} s.`);
  if (skipped.length > 0)
    console.error(
      `None of ${skipped.join(', ')}: a required field takes no value that is known, or rules and hooks refuse what is invented.`,
    );
}

/** Line items are not counted: those of a parent outside of the service cannot be found. */
async function countRecords(api: Api, resources: readonly Resource[]): Promise<number> {
  let count = 0;
  for (const { path } of resources.filter(({ table }) => table.kind === 'record')) {
    count += (await api.get<{ total: number }>(`${path}?limit=1&fields=id`)).body.total;
  }
  return count;
}
