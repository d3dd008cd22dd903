import { answersKeptFor } from '../kernel/model/limits.ts';
import { maxShownErrors } from '../data/limits.ts';
import { resolve } from 'node:path';
import { randomKey } from '../client/requests.ts';
import type { Api } from '../data/transfer/api.ts';
import { describeError } from '../data/transfer/check.ts';
import { Import, type Updates } from '../data/transfer/import.ts';
import { Progress } from '../data/progress.ts';
import { Rejects } from '../data/transfer/rejects.ts';
import type { Resource } from '../data/transfer/resource.ts';
import type { Source, SourceOptions } from '../data/transfer/source.ts';
import type { RowError, SourceRow } from '../data/transfer/source-row.ts';
import { CliError } from '../kernel/model/errors.ts';
import { exitCodes } from '../kernel/model/exit-codes.ts';
import { hour } from '../kernel/values/time.ts';
import { counted } from '../kernel/model/text.ts';
import { onStopSignal } from '../commands/stop.ts';

/** The work of an import. */
export interface ImportTask {
  readonly resource: Resource;
  readonly source: SourceOptions;
  /** Opens the file, or another one like it: each source can be read once. */
  readonly open: (file?: string) => Promise<Source>;
  /** See `ImportOptions`. */
  readonly parallel: number;
  /** Whether a row that was checked names an earlier one. */
  readonly namesEarlierRows: boolean;
  /** The file for rows that are not valid, if the others are imported. */
  readonly rejects: string | undefined;
  /** Whether rows that an earlier run has stored are imported once more. */
  readonly again: boolean;
  /** The field by which rows find the records that they update: a run after another one finds what that has stored. */
  readonly key: string | undefined;
}

/** Hours for which the server keeps the responses that tell a repeated batch from a new one. */
const hours = answersKeptFor / hour;

/**
 * Sends the rows; those that an earlier run has stored are not stored again.
 *
 * @param valid how many rows of the file are valid
 * @throws CliError if some row is not imported
 */
export async function sendRows(api: Api, task: ImportTask, valid: number): Promise<void> {
  const { resource, source, namesEarlierRows } = task;
  const input = await task.open();
  const rejects = task.rejects === undefined ? undefined : await openRejects(task.rejects, task, input);
  const progress = new Progress(`Importing ${source.file}`);
  const shown: string[] = [];
  let stored = 0;
  let storedEarlier = 0;
  let updated = 0;
  let unchanged = 0;
  let rejected = 0;
  const events = {
    stored(count: number, isEarlier: boolean, updates?: Updates) {
      stored += count;
      updated += updates?.updated ?? 0;
      unchanged += updates?.unchanged ?? 0;
      if (isEarlier) storedEarlier += count;
      progress.show(stored, stored / valid);
    },
    rejected(row: SourceRow, errors: readonly RowError[]) {
      rejected++;
      rejects?.add(row);
      const free = maxShownErrors - shown.length;
      shown.push(...errors.slice(0, free).map((error) => describeError(source.file, error)));
    },
  };
  const options = {
    purpose: purposeOf(task),
    parallel: namesEarlierRows ? 1 : task.parallel,
    namesEarlierRows,
    skipsErrors: rejects !== undefined,
    wasRejected: (row: SourceRow) => rejects?.wasAdded(row) ?? false,
  };
  const run = new Import(api, resource, options, events);
  const running = run.run(input);
  const report = (isComplete: boolean): void => {
    progress.clear();
    for (const line of shown) console.error(line);
    const what = `${progress.describe(stored)}, in ${progress.seconds.toFixed(1)} s`;
    if (isComplete) console.log(`Imported ${source.file} as ${resource.name}: ${what}.`);
    else
      console.error(`${counted(stored, 'row')} of ${valid.toLocaleString('en')} are imported. ${continuation(task)}`);
    if (isComplete && storedEarlier > 0)
      console.log(`An earlier run stored ${counted(storedEarlier, 'row')} of them; --again imports them once more.`);
    if (task.key === undefined) return;
    const created = stored - updated - unchanged;
    const counts = Object.entries({ created, updated, unchanged, rejected });
    const words = counts.map(([name, count]) => `${count.toLocaleString('en')} ${name}`).join(', ');
    (isComplete ? console.log : console.error)(`Records: ${words}.`);
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
    report(true);
  } catch (error) {
    report(false);
    throw error;
  } finally {
    rejects?.close();
  }
  if (rejects && rejects.rows > 0) {
    throw new CliError(`${counted(rejects.rows, 'row')} not imported: see ${rejects.file}.`);
  }
}

const continuation = ({ again, key }: ImportTask): string => {
  if (key !== undefined) return 'The same command continues.';
  return again
    ? 'With --again, these rows would be imported a second time.'
    : `The same command continues within ${hours} hours; later, it imports them a second time.`;
};

/** @throws CliError if the file cannot be that of an earlier run */
function openRejects(name: string, { source, open }: ImportTask, input: Source): Promise<Rejects> {
  const file = resolve(name);
  if (file === resolve(source.file)) throw new CliError(`${name} has the rows to import. Name another with --rejects.`);
  return Rejects.open(name, input, source.delimiter, () => open(name));
}

/** The part of the arguments on which the records depend. */
const purposeOf = ({ resource, source: { renames, fixed }, again, key }: ImportTask): string =>
  JSON.stringify([resource.name, [...renames], fixed, again || key !== undefined ? randomKey() : '']);
