import { Api } from '../data/transfer/api.ts';
import type { CellField } from '../data/transfer/cells.ts';
import { checkFile, type Checked, describeError, requireColumns } from '../data/transfer/check.ts';
import { suggestField } from '../data/transfer/columns.ts';
import { openCsv } from '../data/transfer/csv-source.ts';
import { keyOfRows, Lookups, lookupsOf } from '../data/transfer/lookups.ts';
import { openNdjson } from '../data/transfer/ndjson-source.ts';
import { findResource, type Resource } from '../data/transfer/resource.ts';
import { Progress } from '../data/progress.ts';
import { CliError } from '../kernel/model/errors.ts';
import { counted } from '../kernel/model/text.ts';
import type { CommandContext } from '../kernel/feature.ts';
import { numberOf, parseArguments, usageError } from '../commands/arguments.ts';
import { type ImportTask, sendRows } from './send-rows.ts';
import { delimiterOf } from './delimiter.ts';
import { serverHelp, serverOptions } from '../commands/server-options.ts';

/** The most batches at once: a server has no use for more. */
const maxParallel = 32;

export const help = `Creates a record of a resource for each row of a CSV or NDJSON file, through the API of a running server, or updates it.

Usage: npm run import -- RESOURCE FILE [options]

RESOURCE is like crm/lead. A FILE that ends with .ndjson or .jsonl is NDJSON. All rows are checked before the
first one is sent. The same command with the same file and API key continues an import that was interrupted:
for 24 hours, each row is imported once.
A column like customer.email gives customer_id the id of the customer with that unique email.

Options:
  --map COLUMN=FIELD     the field that a column holds; COLUMN= leaves the column out; can be given
                         several times
  --delimiter CHARACTER  what separates the cells of CSV, or tab (default: ,)
  --key FIELD            a unique field: rows update the records that have their value of it, and others
                         are created
  --parent ID            the parent of all line items in the file
  --dry-run              only checks the file, and stores nothing
  --rejects FILE         imports the valid rows and writes the others into this file, to be corrected and
                         imported by themselves; rows that are in it already are left out
  --again                imports a file that was imported in the last 24 hours once more
  --parallel NUMBER      batches that are sent at once; with 1, records are created in the order of the
                         rows (default: 4; for line items 1)
${serverHelp}

Examples:
  npm run import -- crm/lead leads.csv --dry-run                   checks a file
  npm run import -- crm/lead leads.csv --map "Full Name=lead_name" imports it

A signal stops it with the exit code 130. If some rows were rejected, it is 1.
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = {
  map: { ...text, multiple: true },
  delimiter: { ...text, default: ',' },
  key: text,
  parent: text,
  'dry-run': flag,
  rejects: text,
  again: flag,
  parallel: text,
  ...serverOptions,
} as const;

/**
 * Creates records from the rows of a file.
 *
 * @throws CliError that says what is wrong, and what was imported
 */
export async function run(context: CommandContext, args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArguments({ help, options, names: [2, 2] }, args);
  const [name = '', file = ''] = positionals;
  const { map = [], rejects, again = false, parallel, key } = values;
  const resource = findResource(context.service.tables, name);
  const { kind } = resource.table;
  if (/\.json$/i.test(file)) {
    throw new CliError(
      `${file} is JSON, which an import does not take. Write each record as a JSON object on a line of its own, in a file that ends with .ndjson.`,
    );
  }
  if (kind === 'singleton') throw usageError(help, `${name} has one record, which the API updates.`);
  let api: Api | undefined;
  const connect = async (): Promise<Api> => (api ??= new Api(await context.server(values.url)));
  const lookupFields = lookupsOf(context.service.tables, resource);
  const lookups = new Lookups(connect, lookupFields, key === undefined ? undefined : keyOfRows(resource, key));
  const fields = [...resource.fields, ...lookupFields];
  const source = {
    file,
    fields,
    renames: renamesOf(map, fields),
    fixed: parentOf(resource, values.parent),
    delimiter: delimiterOf(help, values.delimiter),
  };
  const task: ImportTask = {
    resource,
    source,
    open: async (opened = file) => {
      const from = { ...source, file: opened };
      return lookups.resolve(/\.(?:ndjson|jsonl)$/i.test(file) ? openNdjson(from) : await openCsv(from));
    },
    parallel: numberOf(help, 'parallel', parallel ?? (kind === 'line-item' ? '1' : '4'), 1, maxParallel),
    get namesEarlierRows() {
      return lookups.namesEarlierRows;
    },
    rejects,
    again,
    key,
  };
  if (values['dry-run']) return report(task, await check(task));
  const checked = await check(task);
  await sendRows(await connect(), task, checked.rows - checked.invalid);
}

function renamesOf(map: readonly string[], fields: readonly CellField[]): Map<string, string> {
  const renames = map.map((rename): [string, string] => {
    const at = rename.lastIndexOf('=');
    const field = rename.slice(at + 1).trim();
    const isKnown = field === '' || fields.some(({ name }) => name === field);
    if (at > 0 && isKnown) return [rename.slice(0, at), field];
    const rule =
      at > 0
        ? `there is no field ${JSON.stringify(field)}${suggestField(field, fields)}`
        : 'it must be a column and a field, like "Full Name=lead_name".';
    throw usageError(help, `--map is ${JSON.stringify(rename)}; ${rule}`);
  });
  return new Map(renames);
}

function parentOf({ table }: Resource, parent: string | undefined): Record<string, string> {
  if (parent === undefined) return {};
  if (table.parent) return { [table.parent.field]: parent };
  throw usageError(help, `A ${table.title} has no parent: --parent is for line items.`);
}

/** Reads and checks the whole file. @throws CliError if it cannot be read, or rows are not valid and are not to be rejected */
async function check(task: ImportTask): Promise<Checked> {
  const source = await task.open();
  requireColumns(task.resource, source, task.key);
  const progress = new Progress(`Checking ${task.source.file}`);
  const show = (rows: number): void => progress.show(rows, source.part);
  const checked = await progress.during(checkFile(task.resource, source, show));
  const { readOnly } = source;
  if (readOnly.size > 0) console.error(`Left out, as the service sets them: ${[...readOnly].join(', ')}.`);
  if (source.emptyRows > 0) console.error(`Left out: ${counted(source.emptyRows, 'row')} without any value.`);
  if (checked.invalid === 0 || task.rejects !== undefined) return checked;
  throw new CliError(
    [
      ...errorLines(task, checked),
      `${counted(checked.invalid, 'row')} of ${checked.rows.toLocaleString('en')} cannot be imported: nothing was sent. Correct the ` +
        'file, or import the other rows with --rejects FILE.',
    ].join('\n'),
  );
}

function errorLines({ source: { file } }: ImportTask, { errors, errorCount }: Checked): string[] {
  const rest = errorCount - errors.length;
  const lines = errors.map((error) => describeError(file, error));
  return rest > 0 ? [...lines, `and ${rest.toLocaleString('en')} more`] : lines;
}

/** Says what would be imported. @throws CliError if some rows would not be */
function report(task: ImportTask, checked: Checked): void {
  for (const line of errorLines(task, checked)) console.error(line);
  const { rows, updates, invalid } = checked;
  const created = (rows - invalid - updates).toLocaleString('en');
  const how = task.key === undefined ? '' : `: ${created} created, ${updates.toLocaleString('en')} updated`;
  console.log(`${counted(rows - invalid, 'row')} would be imported as ${task.resource.name}${how}.`);
  if (invalid === 0) return;
  throw new CliError(`${counted(invalid, 'row')} would be rejected and written to ${task.rejects}.`);
}
