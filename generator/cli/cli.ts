#!/usr/bin/env node
// The command of the installed package. In its own repository, npm scripts run the files beside this one.
import { createRequire } from 'node:module';
import { noCommand, usageError } from '../../runtime/cli/arguments.ts';
import { type CommandDescription, helpOf } from '../../runtime/cli/description.ts';
import { commands as serverCommands } from '../../runtime/cli/descriptions.ts';
import { exitCodes } from '../../runtime/model/exit-codes.ts';
import { packageName } from '../read/package.ts';
import { commands as generatorCommands } from './descriptions.ts';
import { folderOptionDescriptions, takeFolders } from './folder-options.ts';

const { editor: _, ...ofProjects } = generatorCommands;

const check: CommandDescription = {
  ...generatorCommands.generate,
  does: 'Reports generated code that is not up to date with the spec, like `generate --check`',
};

const names = { ...ofProjects, check, ...serverCommands };

/** How each command is run. Most of what one takes is loading its code. */
const programs: Readonly<Record<keyof typeof names, () => Promise<unknown>>> = {
  init: () => import('./init.ts'),
  dev: () => import('./dev.ts'),
  generate: () => import('./generate.ts'),
  check() {
    process.argv.push('--check');
    return import('./generate.ts');
  },
  new: () => import('./new.ts'),
  changes: () => import('./changes.ts'),
  start: () => runServer(),
  migrate: () => runServer('migrate'),
  keys: () => runServer('keys'),
  organizations: () => runServer('organizations'),
  backup: () => runServer('backup'),
  restore: () => runServer('restore'),
  demo: () => runServer('demo'),
  import: () => runServer('import'),
  export: () => runServer('export'),
};

const runServer = async (...command: string[]): Promise<void> => (await import('./run-server.ts')).runServer(command);

/** The package's command. The options of each of its commands are in the help of that one. */
const description: CommandDescription = {
  call: `npx ${packageName}`,
  does: 'Compiles a spec into an HTTP server on SQLite or PostgreSQL, and runs it',
  options: folderOptionDescriptions,
  notes: [`\`npx ${packageName} COMMAND --help\` says more about each.`],
  commands: Object.fromEntries(Object.entries(names).map(([name, command]) => [name, { ...command, options: {} }])),
  examples: [
    ['init library', 'makes a project in this folder'],
    ['dev', 'serves it'],
  ],
};

async function main(): Promise<void> {
  const [name = ''] = process.argv.splice(2, 1);
  if (['--help', '-h', 'help'].includes(name)) return console.log(helpOf(description));
  if (!Object.hasOwn(programs, name)) {
    const what = name === '' ? 'A command is missing.' : await noCommand(name, Object.keys(programs));
    console.error(name === '' ? helpOf(description) : usageError(description, what).message);
    process.exitCode = exitCodes.wrongArguments;
    return;
  }
  const { rest, error } = takeFolders(process.argv.slice(2));
  if (error !== undefined) {
    console.error(error);
    process.exitCode = exitCodes.wrongArguments;
    return;
  }
  process.argv.splice(2, Infinity, ...rest);
  // An older Node, which may run init, is refused there.
  if (name !== 'init') createRequire(import.meta.url)('../../runtime/cli/prepare-node.cjs');
  await programs[name as keyof typeof programs]();
}

await main();
