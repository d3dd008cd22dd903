import { resolve } from 'node:path';
import { type Api, Refused } from '../data/transfer/api.ts';
import { checkFile, type Checked, requireColumns } from '../data/transfer/check-file.ts';
import { describeError } from '../data/transfer/check-row.ts';
import { openCsv } from '../data/transfer/csv-source.ts';
import { Import } from '../data/transfer/import.ts';
import { Journal, type Purpose } from '../data/transfer/journal.ts';
import { openNdjson } from '../data/transfer/ndjson-source.ts';
import type { ReadRecord } from '../data/transfer/pages.ts';
import { Progress } from '../data/progress.ts';
import { Rejects } from '../data/transfer/rejects.ts';
import type { Resource } from '../data/transfer/resource.ts';
import type { Source, SourceOptions } from '../data/transfer/source.ts';
import { CliError } from '../model/errors.ts';
import { exitCodes } from '../model/exit-codes.ts';
import { counted } from '../model/text.ts';
import { firstId } from '../model/ids.ts';
import { onStopSignal } from '../server/stop-signal.ts';

/** The work of an import. */
export interface ImportTask {
  readonly resource: Resource;
  readonly source: SourceOptions;
  readonly format: 'csv' | 'ndjson';
  /** See `ImportOptions`. */
  readonly parallel: number;
  /** The file for rows that are not valid, if the others are imported. */
  readonly rejects: string | undefined;
  /** The file of the journal. */
  readonly journal: string;
}

/** Rows that are not imported, whose errors are shown. */
const maxShown = 20;

const open = async ({ format, source }: ImportTask): Promise<Source> =>
  format === 'csv' ? openCsv(source) : openNdjson(source);

/** Reads and checks the whole file. @throws CliError if it cannot be read */
export async function checkTask(task: ImportTask): Promise<Checked> {
  const source = await open(task);
  requireColumns(task.resource, source);
  const progress = new Progress(`Checking ${task.source.file}`);
  try {
    const checked = await checkFile(task.resource, source, (rows) => progress.show(rows, source.part));
    progress.clear();
    const { readOnly } = source;
    if (readOnly.size > 0) console.error(`Left out, as the service sets them: ${[...readOnly].join(', ')}.`);
    return checked;
  } finally {
    progress.clear();
  }
}

function listErrors({ source: { file } }: ImportTask, { errors, errorCount }: Checked): string[] {
  const rest = errorCount - errors.length;
  return [
    ...errors.map((error) => describeError(file, error)),
    ...(rest > 0 ? [`and ${rest.toLocaleString('en')} more`] : []),
  ];
}

/** Why nothing is imported. */
export const refusalOf = (task: ImportTask, checked: Checked): CliError =>
  new CliError(
    [
      ...listErrors(task, checked),
      `${counted(checked.invalid, 'row')} of ${checked.rows.toLocaleString('en')} cannot be imported: nothing was sent. Correct the ` +
        'file, or import the other rows with --rejects FILE.',
    ].join('\n'),
  );

/** Says what would be imported. @throws CliError if some rows would not be */
export function reportCheck(task: ImportTask, checked: Checked): void {
  if (checked.invalid > 0 && task.rejects === undefined) throw refusalOf(task, checked);
  for (const line of listErrors(task, checked)) console.error(line);
  console.log(`${counted(checked.rows - checked.invalid, 'row')} would be imported as ${task.resource.name}.`);
  if (checked.invalid > 0) {
    throw new CliError(`${counted(checked.invalid, 'row')} would be rejected and written to ${task.rejects}.`);
  }
}

/** Updates a singleton from the one row of a file. @throws CliError if there are more, or the server refuses */
export async function updateSettings(api: Api, task: ImportTask, checked: Checked): Promise<void> {
  const { path, table } = task.resource;
  if (checked.rows !== 1) {
    throw new CliError(`There is one record of ${table.title}: the file must have one row, not ${checked.rows}.`);
  }
  const { id } = (await api.get<ReadRecord>(`${path}?fields=id`)).body;
  for await (const { body } of (await open(task)).rows) {
    // An update can be repeated: it comes to the same.
    const sent = await api.send<ReadRecord>('PATCH', `${path}/${id}`, body);
    if (sent.outcome === 'refused') throw new Refused(path, sent.problem);
    if (sent.outcome === 'unknown')
      throw new CliError(`It is not known whether it was updated: ${sent.cause} Try again.`);
  }
  console.log(`Updated ${task.resource.name}.`);
}

/** Sends the rows that were not stored before. @throws CliError if some row is not imported */
export async function sendRows(
  api: Api,
  url: string,
  task: ImportTask,
  checked: Checked,
  earlier: Journal | undefined,
): Promise<void> {
  const { resource, source, parallel } = task;
  const purpose = await purposeOf(api, url, task);
  if (earlier) await resumeAs(earlier, purpose);
  const journal = earlier ?? (await Journal.begin(task.journal, purpose, await newestId(api, resource)));
  const input = await open(task);
  const rejects = task.rejects === undefined ? undefined : await openRejects(task.rejects, task, input, journal);
  const progress = new Progress(`Importing ${source.file}`);
  const valid = checked.rows - checked.invalid;
  const shown: string[] = [];
  let stored = 0;
  const run = new Import(
    api,
    resource,
    journal,
    { parallel, skipsErrors: rejects !== undefined },
    {
      stored(count) {
        stored += count;
        progress.show(stored, stored / valid);
      },
      rejected(row, errors) {
        rejects?.add(row);
        const free = maxShown - shown.length;
        shown.push(...errors.slice(0, free).map((error) => describeError(source.file, error)));
      },
    },
  );
  const running = run.run(input);
  onStopSignal(
    async () => {
      run.stop();
      // A failure is reported below.
      await running.catch(() => {});
      report(false);
      return exitCodes.interrupted;
    },
    () => process.exit(exitCodes.interrupted),
  );
  const report = (isComplete: boolean): void => {
    progress.clear();
    for (const line of shown) console.error(line);
    const what = `${progress.describe(stored)}, in ${progress.seconds.toFixed(1)} s`;
    if (isComplete) console.log(`Imported ${source.file} as ${resource.name}: ${what}.`);
    else console.error(`${counted(stored, 'row')} of ${valid.toLocaleString('en')} are imported. --resume continues.`);
  };
  try {
    if (!(await running)) return;
    await journal.finish(stored);
    report(true);
  } catch (error) {
    report(false);
    throw error;
  } finally {
    await journal.close();
    rejects?.close();
  }
  if (rejects && rejects.rows > 0) {
    throw new CliError(`${counted(rejects.rows, 'row')} not imported: see ${rejects.file}.`);
  }
}

/** @throws CliError if there is such a file already, and not from an earlier attempt at the same import */
async function openRejects(name: string, { source }: ImportTask, input: Source, journal: Journal): Promise<Rejects> {
  const file = resolve(name);
  const rejects = new Rejects(name, input, source.delimiter, file === journal.rejects);
  await journal.rejectsInto(file);
  return rejects;
}

async function purposeOf(api: Api, url: string, { resource, source }: ImportTask): Promise<Purpose> {
  const { renames, fixed, delimiter } = source;
  return {
    resource: resource.name,
    url,
    organization: await organizationOf(api),
    map: [...renames].map((rename) => rename.join('=')),
    fixed,
    delimiter,
  };
}

/** The organization of the key; null if the server does not say. */
async function organizationOf(api: Api): Promise<string | null> {
  try {
    return (await api.get<{ organization: string }>('/api/key')).body.organization;
  } catch (error) {
    if (error instanceof Refused && 'status' in error.problem && error.problem.status === 404) return null;
    throw error;
  }
}

/** Milliseconds by which the clock that gives ids may be behind the one that dates answers. */
const clockTolerance = 10_000;

/** Its records come after this one. */
async function newestId(api: Api, { path, table }: Resource): Promise<string | null> {
  // Line items are only listed by their parents: ids begin with the time. The key was asked for, so that one is known.
  if (table.parent) return api.time === undefined ? null : firstId(table.name, api.time - clockTolerance);
  const { body } = await api.get<{ data: ReadRecord[] }>(`${path}?limit=1&fields=id`);
  return body.data[0]?.id ?? null;
}

/** @throws CliError if the earlier import was another one */
async function resumeAs(journal: Journal, purpose: Purpose): Promise<void> {
  for (const [name, value] of Object.entries(purpose)) {
    const before = JSON.stringify(journal.purpose[name as keyof Purpose]);
    if (before === JSON.stringify(value)) continue;
    throw new CliError(
      `${journal.file} is of an import with another ${name}: ${before}, not ${JSON.stringify(value)}. Resume it with the same ` +
        'arguments, or begin anew with --again.',
    );
  }
  await journal.reopen();
}
