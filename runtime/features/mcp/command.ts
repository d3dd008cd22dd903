import { ProtocolError, type RequestMethod, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { parseArguments } from '../../commands/arguments.ts';
import { serverOptions } from '../../commands/server-options.ts';
import type { CommandContext } from '../../kernel/feature.ts';
import { CliError } from '../../kernel/model/errors.ts';
import { mcpPath } from './path.ts';

export const help = `Serves the Model Context Protocol on standard input and output, for a desktop client: what it asks for goes to a
running server.

Usage: npm run -s mcp -- [options]

Options:
  --url URL   the server (default: http://127.0.0.1:3000, or another PORT)
  --help, -h  prints this

The API key of the agent is in the variable API_KEY.

Example, in the configuration of a client:
  "command": "npm", "args": ["run", "-s", "mcp", "--", "--url", "https://records.example.com"],
  "env": {"API_KEY": "…"}
`;

/** The requests of the protocol that go to the server. */
const forwarded = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
] as const satisfies RequestMethod[];

/** The result of a call, as the server gives it. */
type Result = Record<string, unknown>;

interface Message {
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  /** That of a problem. */
  readonly detail?: string;
}

/** Makes the function that has a server answer a call of the protocol. */
const callerOf =
  ({ url, key }: { readonly url: string; readonly key: string }) =>
  async (method: string, params: object): Promise<Result> => {
    const response = await fetch(url + mcpPath, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    }).catch((error: Error) => {
      throw new CliError(`The server at ${url} does not respond: ${String(error.cause ?? error.message)}`);
    });
    const { result, error, detail } = (await response.json().catch(() => ({}))) as Message;
    if (error) throw new ProtocolError(error.code, error.message, error.data);
    if (result) return result;
    const why = response.status === 404 ? 'It serves no agents: mcp is off.' : (detail ?? 'It is no such server.');
    throw new CliError(`The server at ${url} responded ${response.status}. ${why}`);
  };

/**
 * Serves until the client closes standard input.
 *
 * @throws CliError if the server does not respond, or refuses the key
 */
export async function run(context: CommandContext, args: readonly string[]): Promise<void> {
  const { values } = parseArguments({ help, options: serverOptions }, args);
  // An agent may do what its key may: never what the key of this machine may.
  if (!process.env['API_KEY'])
    throw new CliError('Set API_KEY: a key for this agent, as `npm run keys -- create` makes it.');
  const { url, key } = await context.server(values.url);
  const call = callerOf({ url: url.replace(/\/mcp$/, ''), key });
  const { serverInfo, instructions } = await call('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'stdio', version: '1.0.0' },
  });
  const make = (): Server => {
    const options = { capabilities: { tools: {}, resources: {} }, instructions: instructions as string };
    const server = new Server(serverInfo as { name: string; version: string }, options);
    for (const method of forwarded) {
      // Its metadata are of the connection with the client.
      server.setRequestHandler(method, ({ params }: { readonly params?: Result | undefined }) => {
        const { _meta, ...own } = params ?? {};
        return call(method, own) as never;
      });
    }
    return server;
  };
  serveStdio(make, { maxSubscriptions: 0 });
}
