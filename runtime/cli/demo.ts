import { Filler, type Made } from '../data/demo/fill.ts';
import { planRecords } from '../data/demo/plan.ts';
import type { Service } from '../api/service.ts';
import { counted } from '../model/text.ts';
import { Api } from '../data/transfer/api.ts';
import { Progress } from '../data/progress.ts';
import { type Resource, writableResources } from '../data/transfer/resource.ts';
import { parseArguments, usageError } from './arguments.ts';
import { commands } from './descriptions.ts';
import { serverOf } from './server-address.ts';

const maxCount = 1_000_000;

/** An organization with so many records is in use; one with fewer was tried out by hand. */
const inUse = 20;

/**
 * Fills a running server with invented records. If there are 20 already, or as many as it would make, it makes none and says
 * so.
 *
 * @throws CliError if the server refuses, or does not answer
 */
export async function demo(service: Service, args: readonly string[]): Promise<void> {
  const { values } = await parseArguments(commands.demo, args);
  const count = numberOf('count', values.count, 1, maxCount);
  const seed = numberOf('seed', values.seed, 0, 2 ** 32 - 1);
  const server = serverOf(values.url, values['key-file']);
  const api = new Api(server);
  const resources = writableResources(service.tables);
  const existing = await countRecords(api, resources);
  const planned = planRecords(resources, count).reduce((sum, one) => sum + (isRecord(one.resource) ? one.count : 0), 0);
  if (existing >= Math.max(1, Math.min(planned, inUse)) && !values.again) {
    console.log(
      `${server.url} has ${counted(existing, 'record')} already: nothing was made. \`${commands.demo.call} --again\` makes more.`,
    );
    return;
  }
  const progress = new Progress('Making records');
  let made: Made = { records: 0, items: 0 };
  const filler = new Filler(api, { count, seed }, (now) => {
    made = now;
    progress.show(now.records + now.items, (now.records + now.items) / count);
  });
  let skipped: string[];
  try {
    skipped = await filler.fill(resources);
  } finally {
    progress.clear();
  }
  const numbers = [counted(made.records, 'record'), ...(made.items > 0 ? [counted(made.items, 'line item')] : [])];
  console.log(`Made ${numbers.join(' and ')} on ${server.url} in ${progress.seconds.toFixed(1)} s.`);
  if (skipped.length > 0)
    console.error(`None of ${skipped.join(', ')}: a required field takes no value that is known.`);
}

function numberOf(option: string, text: string, min: number, max: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min && number <= max) return number;
  throw usageError(commands.demo, `--${option} is ${JSON.stringify(text)}; it must be a number from ${min} to ${max}.`);
}

const isRecord = ({ table }: Resource): boolean => table.kind === 'record';

/** Line items are not counted: those of a parent outside of the service cannot be found. */
async function countRecords(api: Api, resources: readonly Resource[]): Promise<number> {
  let count = 0;
  for (const { path } of resources.filter(isRecord)) {
    count += (await api.get<{ total: number }>(`${path}?limit=1&fields=id`)).body.total;
  }
  return count;
}
