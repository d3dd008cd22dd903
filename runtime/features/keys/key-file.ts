import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keySettings } from './settings.ts';
import { CliError } from '../../kernel/model/errors.ts';
import { databaseSettings } from '../../commands/database-setting.ts';
import type { ReadSettings } from '../../kernel/settings.ts';
import { syncFolder } from '../../engines/sqlite/open.ts';

/**
 * Reads the key beside the database, created at the first start: 256 random bits, readable by their owner only.
 *
 * @throws CliError when the file can be neither read nor written, holds no key, or is open to other users.
 */
export function keyBeside(databaseFile: string): { key: string; file: string } {
  const file = fileBeside(databaseFile);
  let key: string;
  let mode: number;
  try {
    if (!existsSync(file)) createKey(file);
    key = readFileSync(file, 'utf8').trim();
    mode = statSync(file).mode & 0o777;
  } catch (error) {
    throw new CliError(`The API key in ${file} cannot be read or created: ${(error as Error).message}`);
  }
  if (!/^\S+$/.test(key)) {
    throw new CliError(`${file} holds no API key. Delete it to have a new one created, or set API_KEYS.`);
  }
  if ((mode & 0o077) === 0) return { key, file };
  throw new CliError(
    `${file} can be read or written by other users (its mode is ${mode.toString(8)}). Run \`chmod 600 ${file}\`; or, where ` +
      'somebody may know the key, delete the file to have a new one created. Otherwise set API_KEYS.',
  );
}

/** The key of a server that runs here: the first one of API_KEYS, or the one beside the database, which a server creates. */
export function localKey(settings: ReadSettings): string | undefined {
  const { API_KEYS: [key] = [], DATABASE_URL: database } = settings({ ...keySettings, ...databaseSettings });
  if (key !== undefined || database.kind !== 'sqlite') return key;
  return existsSync(fileBeside(database.file)) ? keyBeside(database.file).key : undefined;
}

const fileBeside = (databaseFile: string): string => join(dirname(databaseFile), 'api-key');

function createKey(file: string): void {
  // Written under another name and then linked: concurrent first starts agree on one key, and no file is ever partial.
  // No process id in the name: servers in containers have the same one.
  const temporary = `${file}.${randomUUID()}`;
  // Hexadecimal: no program takes it for an option, as it could a key that begins with a hyphen.
  writeFileSync(temporary, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary);
  }
  syncFolder(dirname(file));
}
