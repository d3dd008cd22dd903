#!/usr/bin/env node
// The command of the installed package. In its own repository, npm scripts run the files beside this one.
import { createRequire } from 'node:module';
import { packageName } from '../package.ts';
import { folderUsage, takeFolders } from './folder-options.ts';

const commands: Readonly<Record<string, { readonly does: string; readonly run: () => Promise<unknown> }>> = {
  init: { does: 'makes a new project in this folder', run: () => import('./init.ts') },
  new: { does: 'writes the first version of a resource', run: () => import('./new.ts') },
  generate: { does: 'brings the generated code up to date with the spec', run: () => import('./generate.ts') },
  check: {
    does: 'reports generated code that is not up to date',
    run() {
      process.argv.push('--check');
      return import('./generate.ts');
    },
  },
  changes: { does: 'says what an edit of the spec means', run: () => import('./changes.ts') },
  dev: { does: 'serves, and follows every save of the spec', run: () => import('./dev.ts') },
  start: { does: 'serves', run: () => runServer() },
  migrate: { does: 'changes the schema of the database', run: () => runServer('migrate') },
  keys: { does: 'creates, lists, revokes and rotates API keys', run: () => runServer('keys') },
  organizations: { does: 'creates, lists, renames and deletes organizations', run: () => runServer('organizations') },
  backup: { does: 'copies the database', run: () => runServer('backup') },
  restore: { does: 'puts a copy in the place of the database', run: () => runServer('restore') },
};

const runServer = async (...command: string[]): Promise<void> => (await import('./run-server.ts')).runServer(command);

async function noCommand(name: string): Promise<string> {
  const { didYouMean } = await import('../../runtime/suggest.ts');
  const hint = didYouMean(name, Object.keys(commands));
  return `There is no command ${JSON.stringify(name)}${hint === '' ? '.' : hint}\n`;
}

async function main(): Promise<void> {
  const [name = ''] = process.argv.splice(2, 1);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const list = Object.entries(commands).map(([key, { does }]) => `  ${key.padEnd(15)}${does}`);
    const isHelp = ['--help', '-h', 'help'].includes(name);
    const error = name === '' || isHelp ? '' : await noCommand(name);
    const usage = `Usage: ${packageName} <command> [options]\n\n${list.join('\n')}\n\nOptions of all:\n  ${folderUsage}`;
    console[isHelp ? 'log' : 'error'](error + usage);
    process.exitCode = isHelp ? 0 : 2;
    return;
  }
  const { rest, error } = takeFolders(process.argv.slice(2));
  if (error !== undefined) {
    console.error(error);
    process.exitCode = 2;
  } else {
    process.argv.splice(2, Infinity, ...rest);
    // Most of what a command takes is loading its code. An older Node, which may run init, is refused there.
    if (name !== 'init') createRequire(import.meta.url)('../../runtime/commands/prepare-node.cjs');
    await command.run();
  }
}

await main();
