import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Api } from '../data/transfer/api.ts';
import { type ExportedPart, exportRecords } from '../data/transfer/export.ts';
import { Progress } from '../data/progress.ts';
import { findResource } from '../data/transfer/resource.ts';
import { CliError } from '../kernel/model/errors.ts';
import type { CommandContext } from '../kernel/feature.ts';
import { parseArguments, usageError } from '../commands/arguments.ts';
import { delimiterOf } from './delimiter.ts';
import { serverHelp, serverOptions } from '../commands/server-options.ts';

export const help = `Writes the records of a resource as CSV or NDJSON, oldest first, through the API of a running server.

Usage: npm run export -- RESOURCE [options]

RESOURCE is like crm/lead.

Options:
  --format csv|ndjson    the format (default: by the name of --output, otherwise csv)
  --output FILE          where to (default: the standard output)
  --force                replaces FILE if it exists
  --parent ID            only the line items of this parent (default: those of all parents); can be
                         given several times
  --delimiter CHARACTER  what separates the cells of CSV, or tab (default: ,)
  --spreadsheet          for CSV that is opened in a spreadsheet: what it would take for a formula begins
                         with an apostrophe, which an import takes off again
${serverHelp}

Examples:
  npm run export -- crm/lead --output leads.csv  writes a file, whole or not at all
  npm run export -- crm/lead --format ndjson | jq .lead_name
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = {
  format: text,
  output: text,
  force: flag,
  parent: { ...text, multiple: true },
  delimiter: { ...text, default: ',' },
  spreadsheet: flag,
  ...serverOptions,
} as const;

/**
 * Writes the records of a resource into a file, whole or not at all, or to the standard output.
 *
 * @throws CliError that says what is wrong
 */
export async function run(context: CommandContext, args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArguments({ help, options, names: [1, 1] }, args);
  const [name = ''] = positionals;
  const resource = findResource(context.service.tables, name);
  const { output, force = false, spreadsheet = false, parent = [] } = values;
  const format = values.format ?? (/\.(?:ndjson|jsonl)$/i.test(output ?? '') ? 'ndjson' : 'csv');
  if (format !== 'csv' && format !== 'ndjson') {
    throw usageError(help, `--format is ${JSON.stringify(format)}; it must be csv or ndjson.`);
  }
  if (format === 'ndjson' && (spreadsheet || values.delimiter !== ',')) {
    throw usageError(help, '--spreadsheet and --delimiter are for CSV.');
  }
  const delimiter = delimiterOf(help, values.delimiter);
  if (output !== undefined && existsSync(output) && !force) {
    throw new CliError(`${output} already exists. Name another file, or replace it with --force.`);
  }
  const api = new Api(await context.server(values.url));
  const progress = new Progress(`Exporting ${resource.name}`);
  const parts = exportRecords(context.service.tables, api, resource, parent, {
    format,
    delimiter,
    isForSpreadsheet: spreadsheet,
  });
  let rows = 0;
  const texts = async function* (): AsyncGenerator<string> {
    for await (const part of parts) {
      rows += part.records;
      progress.show(rows, shareOf(rows, part));
      if (part.text !== '') yield part.text;
    }
  };
  await progress.during(output === undefined ? toStandardOutput(texts()) : toFile(texts(), output));
  const target = output === undefined ? '' : ` to ${output}`;
  console.error(`Exported ${resource.name}${target}: ${progress.describe(rows)}, in ${progress.seconds.toFixed(1)} s.`);
}

const shareOf = (rows: number, { total }: ExportedPart): number | undefined =>
  total === undefined ? undefined : total === 0 ? 1 : rows / total;

async function toStandardOutput(texts: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(texts), process.stdout, { end: false });
  } catch (error) {
    // The reader, like `head`, has had enough.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit(0);
    throw error;
  }
}

/** Written beside the file and then moved: a file that is there is whole. */
async function toFile(texts: AsyncIterable<string>, file: string): Promise<void> {
  const partial = `${file}.${randomUUID()}.partial`;
  try {
    await pipeline(Readable.from(texts), createWriteStream(partial, { flags: 'wx', flush: true }));
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof CliError || code === undefined) throw error;
    throw new CliError(`${file} cannot be written: ${message}`);
  }
}
