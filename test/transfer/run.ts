import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Commands } from '../support/commands.ts';
import { testKey, testProject, type TestServer } from '../support/server.ts';

/** The program of the tests' own service, whose commands ask a server. */
export const program = join(testProject, 'generated/server.ts');

/** The environment in which a command finds a server and its key. */
export const envOf = ({ url }: Pick<TestServer, 'url'>): NodeJS.ProcessEnv => ({
  ...process.env,
  PORT: new URL(url).port,
  API_KEY: testKey,
});

/** A folder for files that are imported and exported, gone when its scope ends. */
export class Files implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'records-transfer-'));

  /** Writes a file. @returns its path */
  write(name: string, text: string | Uint8Array): string {
    const file = join(this.folder, name);
    writeFileSync(file, text);
    return file;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const commands = new Commands();

/** Runs a command like `import crm/lead leads.csv` in a folder. */
export const run = (server: Pick<TestServer, 'url'>, { folder }: Files, ...args: string[]) =>
  commands.runFile(program, folder, args, envOf(server));
