import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Server } from '../data/transfer/api.ts';
import { CliError, UsageError } from '../model/errors.ts';
import { keyBeside } from '../server/key-file.ts';
import { readSettings } from '../server/settings.ts';
import type { DatabaseAddress } from '../migrations/engine.ts';
import { usageError } from './arguments.ts';

/** Which server is asked: the options of `serverOf`. */
export const serverOptions = { url: { type: 'string' } } as const;

export const serverHelp = `  --url URL              the server (default: http://127.0.0.1:3000, or another PORT)
  --help, -h             prints this

The API key is in the variable API_KEY. For a server of this machine, it may be the first of API_KEYS instead, or
in the file api-key beside the database.`;

/**
 * The server that a command asks: the one at `url`, or the one that `npm start` runs here. The key is that of the variable API_KEY,
 * or, if the server is of this machine, the first one of API_KEYS or the one beside the database. Another server is never sent a
 * key that was not meant for it. No argument holds a key, as every user of a machine sees arguments.
 *
 * @throws CliError if there is no key
 * @throws UsageError if the URL is none
 */
export function serverOf(url: string | undefined): Server {
  const { PORT: port, DATABASE_URL: database, API_KEYS: apiKeys = [] } = readSettings(process.env);
  const given = url ?? `http://127.0.0.1:${port}`;
  if (!URL.canParse(given) || !/^https?:\/\//.test(given)) {
    throw new UsageError(
      `--url is ${JSON.stringify(given)}; it must be the URL of a server, like http://127.0.0.1:3000.`,
    );
  }
  const found = process.env['API_KEY'] || (isLocal(given) ? (apiKeys[0] ?? keyInFile(database)) : undefined);
  if (found === undefined) {
    const others = isLocal(given) ? '' : ' Those of API_KEYS and of the file api-key are sent to this machine alone.';
    throw new CliError(`An API key is missing: give one in the variable API_KEY.${others}`);
  }
  return { url: given.replace(/\/+$/, ''), key: found };
}

/** Whether a URL is of this machine (RFC 6761, 6.3; RFC 1122, 3.2.1.3). */
const isLocal = (url: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);

function keyInFile(database: DatabaseAddress): string | undefined {
  if (database.kind !== 'sqlite') return undefined;
  // A server creates it, not a command that asks one.
  return existsSync(join(dirname(database.file), 'api-key')) ? keyBeside(database.file).key : undefined;
}
/** The delimiter that an option of a command names. @throws UsageError if it cannot be one */
export function delimiterOf(help: string, option: string): string {
  const delimiter = option === 'tab' || option === String.raw`\t` ? '\t' : option;
  if (delimiter.length === 1 && !/["\r\n]/.test(delimiter)) return delimiter;
  throw usageError(help, `--delimiter is ${JSON.stringify(option)}; it must be one character and no quote, or tab.`);
}
