import { closeSync, existsSync, openSync } from 'node:fs';
import type { Service } from '../api/service.ts';
import { CliError } from '../model/errors.ts';
import { copyDatabase, describeCopy } from './copy.ts';
import { copyArguments } from './copy-arguments.ts';

/**
 * Writes a copy of the database into a file, while servers use it: whole, checked and on the disk, or not at all.
 *
 * @throws CliError when it cannot be written, or would replace a file without `--force`.
 */
export async function backup({ name }: Service, args: readonly string[]): Promise<void> {
  const begin = performance.now();
  const { database, file, force } = await copyArguments('backup', args);
  const refuse = (): never => {
    throw new CliError(`${file} already exists. Name another file, or replace it with --force.`);
  };
  if (existsSync(file) && !force) refuse();
  const copied = await copyDatabase(database, file, name, () => {
    if (force) return;
    try {
      closeSync(openSync(file, 'wx'));
    } catch (error) {
      // Another process has created it in the meantime.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') refuse();
      throw error;
    }
  });
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(`Backup of ${database} written to ${file} and checked: ${describeCopy(copied)}, in ${seconds} s`);
  if (copied.miscounted.length === 0) return;
  console.error(
    `The database and its backup have wrong row counters for ${copied.miscounted.join(', ')}. ` +
      '`npm run migrate -- --recount` rebuilds them.',
  );
}
