import { clockTolerance } from '../model/limits.ts';
import { maxShownErrors } from '../data/limits.ts';
import { resolve } from 'node:path';
import type { Api } from '../data/transfer/api.ts';
import { describeError } from '../data/transfer/check.ts';
import { Import } from '../data/transfer/import.ts';
import { Journal, type Purpose } from '../data/transfer/journal.ts';
import type { ReadRecord } from '../data/transfer/pages.ts';
import { Progress } from '../data/progress.ts';
import { Rejects } from '../data/transfer/rejects.ts';
import type { Resource } from '../data/transfer/resource.ts';
import type { RowError, Source, SourceOptions, SourceRow } from '../data/transfer/source.ts';
import { CliError } from '../model/errors.ts';
import { exitCodes } from '../model/exit-codes.ts';
import { counted } from '../model/text.ts';
import { firstId } from '../model/ids.ts';
import { onStopSignal } from '../server/stop-signal.ts';

/** The work of an import. */
export interface ImportTask {
  readonly resource: Resource;
  readonly source: SourceOptions;
  /** Opens the file: each source can be read once. */
  readonly open: () => Promise<Source>;
  /** See `ImportOptions`. */
  readonly parallel: number;
  /** The file for rows that are not valid, if the others are imported. */
  readonly rejects: string | undefined;
  /** The file of the journal. */
  readonly journal: string;
}

/**
 * Sends the rows that were not stored before.
 *
 * @param valid how many rows of the file are valid
 * @throws CliError if some row is not imported
 */
export async function sendRows(
  api: Api,
  url: string,
  task: ImportTask,
  valid: number,
  earlier: Journal | undefined,
): Promise<void> {
  const { resource, source, parallel } = task;
  const purpose = await purposeOf(api, url, task);
  if (earlier) await resumeAs(earlier, purpose);
  const journal = earlier ?? (await Journal.begin(task.journal, purpose, await newestId(api, resource)));
  const input = await task.open();
  const rejects = task.rejects === undefined ? undefined : await openRejects(task.rejects, task, input, journal);
  const progress = new Progress(`Importing ${source.file}`);
  const shown: string[] = [];
  let stored = 0;
  const events = {
    stored(count: number) {
      stored += count;
      progress.show(stored, stored / valid);
    },
    rejected(row: SourceRow, errors: readonly RowError[]) {
      rejects?.add(row);
      const free = maxShownErrors - shown.length;
      shown.push(...errors.slice(0, free).map((error) => describeError(source.file, error)));
    },
  };
  const run = new Import(api, resource, journal, { parallel, skipsErrors: rejects !== undefined }, events);
  const running = run.run(input);
  const report = (isComplete: boolean): void => {
    progress.clear();
    for (const line of shown) console.error(line);
    const what = `${progress.describe(stored)}, in ${progress.seconds.toFixed(1)} s`;
    if (isComplete) console.log(`Imported ${source.file} as ${resource.name}: ${what}.`);
    else console.error(`${counted(stored, 'row')} of ${valid.toLocaleString('en')} are imported. --resume continues.`);
  };
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
  const { organization } = (await api.get<{ organization: string }>('/api/key')).body;
  const map = [...renames].map((rename) => rename.join('='));
  return { resource: resource.name, url, organization, map, fixed, delimiter };
}

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
