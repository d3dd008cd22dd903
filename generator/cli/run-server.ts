import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFile } from '../read/paths.ts';

/** Options of Node that save memory at no cost in speed. */
const nodeOptions = ['--max-semi-space-size=8'];

/**
 * Becomes the generated server, or one of its commands: the process is replaced, so that signals and exit codes need no
 * mediator. Exit code 1 where no server was generated.
 */
export function runServer(command: readonly string[]): void {
  const server = join(process.cwd(), generatedFile('server.ts'));
  if (!existsSync(server)) return fail(`${server} is missing: generate it with \`npm run generate\`.`);
  const prepare = fileURLToPath(new URL('../../runtime/cli/prepare-node.cjs', import.meta.url));
  const args = [...nodeOptions, '-r', prepare, server, ...command, ...process.argv.slice(2)];
  // One arena saves 20 MB.
  if (!process.execve) return fail('Servers run on Linux, macOS and WSL.');
  process.execve(process.execPath, [process.execPath, ...args], { ...process.env, MALLOC_ARENA_MAX: '1' });
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
