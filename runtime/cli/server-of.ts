import { CliError, UsageError } from '../kernel/model/errors.ts';
import type { CommandContext } from '../kernel/feature.ts';
import { serverSettings } from '../server/settings.ts';

/**
 * The server that a command asks: the one at `url`, or the one that `npm start` runs here. The key is that of the variable API_KEY,
 * or, if the server is of this machine, one that is here. Another server is never sent a key that was not meant for it. No
 * argument holds a key, as every user of a machine sees arguments.
 *
 * @throws CliError if there is no key
 * @throws UsageError if the URL is none
 */
export async function serverOf(
  { features, settings }: Pick<CommandContext, 'features' | 'settings'>,
  url: string | undefined,
): ReturnType<CommandContext['server']> {
  const given = url ?? `http://127.0.0.1:${settings(serverSettings).PORT}`;
  if (!URL.canParse(given) || !/^https?:\/\//.test(given)) {
    throw new UsageError(
      `--url is ${JSON.stringify(given)}; it must be the URL of a server, like http://127.0.0.1:3000.`,
    );
  }
  const localKey = features.list.find((feature) => feature.localKey)?.localKey;
  const key = process.env['API_KEY'] || (isLocal(given) ? await localKey?.(settings) : undefined);
  if (key === undefined) {
    const others = isLocal(given) ? '' : ' Those of API_KEYS and of the file api-key are sent to this machine alone.';
    throw new CliError(`An API key is missing: give one in the variable API_KEY.${others}`);
  }
  return { url: given.replace(/\/+$/, ''), key };
}

/** Whether a URL is of this machine (RFC 6761, 6.3; RFC 1122, 3.2.1.3). */
const isLocal = (url: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
