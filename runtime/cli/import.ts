import { Api } from '../data/transfer/api.ts';
import { suggestField } from '../data/transfer/columns.ts';
import { Journal } from '../data/transfer/journal.ts';
import { findResource, type Resource } from '../data/transfer/resource.ts';
import type { SourceOptions } from '../data/transfer/source.ts';
import { CliError } from '../model/errors.ts';
import { counted } from '../model/text.ts';
import type { Service } from '../api/service.ts';
import { parseArguments, usageError } from './arguments.ts';
import { delimiterOf } from './delimiter.ts';
import { commands } from './descriptions.ts';
import { checkTask, type ImportTask, refusalOf, reportCheck, sendRows, updateSettings } from './import-task.ts';
import { serverOf } from './server-address.ts';

/** More batches at once than a server has use for. */
const maxParallel = 32;

/**
 * Creates records from the rows of a file.
 *
 * @throws CliError that says what is wrong, and what was imported
 */
export async function importCommand(service: Service, args: readonly string[]): Promise<void> {
  const { values, positionals } = await parseArguments(commands.import, args);
  const [name = '', file = ''] = positionals;
  const resource = findResource(service.tables, name);
  const { map = [], journal = `${file}.journal`, rejects, resume = false, again = false } = values;
  const format = values.format ?? (/\.(?:ndjson|jsonl)$/i.test(file) ? 'ndjson' : 'csv');
  if (format !== 'csv' && format !== 'ndjson') {
    throw usageError(commands.import, `--format is ${JSON.stringify(format)}; it must be csv or ndjson.`);
  }
  const parallel = Number(values.parallel ?? (resource.table.kind === 'line-item' ? 1 : 4));
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > maxParallel) {
    throw usageError(
      commands.import,
      `--parallel is ${JSON.stringify(values.parallel)}; it must be a number from 1 to ${maxParallel}.`,
    );
  }
  const source: SourceOptions = {
    file,
    fields: resource.fields,
    renames: renamesOf(map, resource),
    fixed: parentOf(resource, values.parent),
    delimiter: delimiterOf(commands.import, values.delimiter),
  };
  const task: ImportTask = {
    resource,
    source,
    format,
    parallel,
    rejects,
    journal,
  };
  if (values['dry-run']) return reportCheck(task, await checkTask(task));
  const server = serverOf(values.url, values['key-file']);
  const earlier = await earlierImport(file, journal, { resume, again });
  if (earlier?.finished) return console.log(`${file} was imported ${when(earlier.finished)}: nothing to do.`);
  const checked = await checkTask(task);
  if (checked.invalid > 0 && rejects === undefined) throw refusalOf(task, checked);
  const api = new Api(server);
  if (resource.table.kind === 'singleton') return updateSettings(api, task, checked);
  if (again) await Journal.remove(journal);
  await sendRows(api, server.url, task, checked, earlier);
}

function renamesOf(map: readonly string[], { fields }: Resource): Map<string, string> {
  const renames = map.map((rename): [string, string] => {
    const at = rename.lastIndexOf('=');
    const field = rename.slice(at + 1).trim();
    const isKnown = field === '' || fields.some(({ name }) => name === field);
    if (at > 0 && isKnown) return [rename.slice(0, at), field];
    const rule =
      at > 0
        ? `there is no field ${JSON.stringify(field)}${suggestField(field, fields)}`
        : 'it must be a column and a field, like "Full Name=lead_name".';
    throw usageError(commands.import, `--map is ${JSON.stringify(rename)}; ${rule}`);
  });
  return new Map(renames);
}

function parentOf({ table }: Resource, parent: string | undefined): Record<string, string> {
  if (parent === undefined) return {};
  if (table.parent) return { [table.parent.field]: parent };
  throw usageError(commands.import, `A ${table.title} has no parent: --parent is for line items.`);
}

/** The journal of an earlier import. @throws CliError if there is one, and neither `resume` nor `again` */
async function earlierImport(
  file: string,
  journal: string,
  { resume, again }: { readonly resume: boolean; readonly again: boolean },
): Promise<Journal | undefined> {
  if (resume && again)
    throw usageError(commands.import, '--resume continues an import, --again begins a new one: give one of them.');
  const earlier = again ? undefined : await Journal.read(journal);
  if (!earlier || resume) return earlier;
  const { finished } = earlier;
  throw new CliError(
    finished
      ? `${file} was imported ${when(finished)}, as ${journal} says. --again imports it once more.`
      : `An import of ${file} was interrupted after ${counted(earlier.storedRows, 'row')}. --resume continues it; --again begins anew, ` +
          'and imports these rows a second time.',
  );
}

const when = ({ rows, at }: { readonly rows: number; readonly at: number }): string =>
  `on ${new Date(at).toISOString().slice(0, 16).replace('T', ' at ')} UTC (${counted(rows, 'row')})`;
