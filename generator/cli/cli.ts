#!/usr/bin/env node
// The command of the installed package. In its own repository, npm scripts run the files beside this one.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseCommand, printsHelp } from '../../runtime/commands/arguments.ts';
import { CliError } from '../../runtime/kernel/model/errors.ts';
import { generatedFile } from '../read/paths.ts';
import { takeFolders } from './folder-options.ts';

const help = `Compiles a spec into an HTTP server on SQLite or PostgreSQL, and runs it.

Usage: npx spec-to-server COMMAND [options]

\`npx spec-to-server COMMAND --help\` says more about each.

Commands:
  init           makes a new project in this folder
  dev            generates, serves, and follows every save of the spec
  generate       brings the generated code up to date with the spec
  new            writes the first version of a spec file
  changes        reports what an edit of the spec means for clients and the database
  check          reports generated code that is not up to date with the spec, like \`generate --check\`
  client         makes the compiled client a package of its own: \`npm run client\` compiles it first
  start          serves the generated code, after migrating the database to the spec if necessary
  migrate        migrates the database to the spec
  keys           creates, lists, revokes and rotates API keys
  organizations  creates, lists, renames and deletes organizations
  webhooks       manages webhooks, which send events to other programs
  backup         writes a copy of the SQLite database into a file, while servers use it
  restore        puts a copy of a backup in the place of the SQLite database
  events         shows what was done to records
  mcp            serves the Model Context Protocol on standard input and output, for agents
  demo           fills a running server with invented records
  import         creates a record for each row of a CSV or NDJSON file
  export         writes the records of a resource as CSV or NDJSON

Options:
  --spec FOLDER  for each command: where the spec is (default: spec)
  --out FOLDER   for each command: where the generated code is (default: generated)
  --help, -h     prints this

Examples:
  npx spec-to-server init library  makes a project in this folder
  npx spec-to-server dev           serves it
`;

/** How each command is run. Most of what one takes is loading its code. */
const programs: Readonly<Record<string, () => Promise<unknown>>> = {
  init: () => import('./init.ts'),
  dev: () => import('./dev.ts'),
  generate: () => import('./generate.ts'),
  check() {
    process.argv.push('--check');
    return import('./generate.ts');
  },
  new: () => import('./new.ts'),
  client: () => import('./client.ts'),
  changes: () => import('./changes.ts'),
  ...Object.fromEntries(
    'start migrate keys organizations webhooks backup restore events mcp demo import export'
      .split(' ')
      .map((name) => [name, async () => runServer(name)]),
  ),
};

/**
 * Becomes a command of the generated server: the process is replaced, so that signals and exit codes need no mediator.
 *
 * @throws CliError if no server was generated
 */
function runServer(command: string): void {
  const server = join(process.cwd(), generatedFile('server.ts'));
  if (!existsSync(server)) throw new CliError(`${server} is missing: generate it with \`npm run generate\`.`);
  const prepare = fileURLToPath(new URL('../../runtime/cli/prepare-node.cjs', import.meta.url));
  if (!process.execve) throw new CliError('Servers run on Linux, macOS and WSL.');
  // A small semi-space and one arena save memory at no cost in speed.
  const args = ['--max-semi-space-size=8', '-r', prepare, server, command, ...process.argv.slice(2)];
  process.execve(process.execPath, [process.execPath, ...args], { ...process.env, MALLOC_ARENA_MAX: '1' });
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args[0]?.startsWith('-') && printsHelp(help, args)) return;
  const name = chooseCommand(help, programs, args.shift());
  process.argv.splice(2, Infinity, ...takeFolders(args));
  // An older Node, which may run init, is refused there.
  if (name !== 'init') createRequire(import.meta.url)('../../runtime/cli/prepare-node.cjs');
  await programs[name]?.();
}

try {
  await main();
} catch (error) {
  if (!(error instanceof CliError)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}
