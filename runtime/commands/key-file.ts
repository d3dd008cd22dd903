import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError } from '../errors.ts';

/**
 * Reads the key beside the database, created at the first start: 256 random bits, readable by their owner only.
 *
 * @throws CliError when the file can be neither read nor written, or holds no key.
 */
export function keyBeside(databaseFile: string): { key: string; file: string } {
  const file = join(dirname(databaseFile), 'api-key');
  let key: string;
  try {
    if (!existsSync(file)) createKey(file);
    key = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CliError(`The API key in ${file} cannot be read or created: ${(error as Error).message}`);
  }
  if (/^\S+$/.test(key)) return { key, file };
  throw new CliError(`${file} holds no API key. Delete it to have a new one created, or set API_KEYS.`);
}

function createKey(file: string): void {
  // Written under another name and then linked: concurrent first starts agree on one key, and no file is ever partial.
  // No process id in the name: servers in containers have the same one.
  const temporary = `${file}.${randomUUID()}`;
  writeFileSync(temporary, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary);
  }
}
