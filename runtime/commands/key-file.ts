import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError } from '../errors.ts';

/** The API key that a first start makes, and the file that keeps it. */
export interface KeyFile {
  readonly key: string;
  readonly file: string;
}

/**
 * Reads the key kept beside the database, made at the first start: 256 random bits, readable by their owner only.
 *
 * @throws CliError when the file can be neither read nor written, or holds no key.
 */
export function keyBeside(databaseFile: string): KeyFile {
  const file = join(dirname(databaseFile), 'api-key');
  try {
    const key = read(file) ?? make(file);
    if (/^\S+$/.test(key)) return { key, file };
  } catch (error) {
    throw new CliError(`The API key in ${file} cannot be read or made: ${(error as Error).message}`);
  }
  throw new CliError(`${file} holds no API key. Delete it to have a new one made, or set API_KEYS.`);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function make(file: string): string {
  const key = randomBytes(32).toString('base64url');
  // Written whole under another name and then linked: two first starts agree on one key, and none is ever half there.
  // No process id in the name: servers in containers have the same one.
  const whole = `${file}.${randomUUID()}`;
  writeFileSync(whole, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(whole, file);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFileSync(file, 'utf8').trim();
  } finally {
    rmSync(whole);
  }
}
