import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { specsOf, type Texts } from './edits.ts';

const command = fileURLToPath(new URL('../../generator/commands/changes.ts', import.meta.url));

// Neither the settings of who runs the tests, nor a hook that runs them, has a say.
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  // Most of a run is loading what prints code.
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Author',
  GIT_AUTHOR_EMAIL: 'author@example.org',
  GIT_COMMITTER_NAME: 'Author',
  GIT_COMMITTER_EMAIL: 'author@example.org',
};

/** What `npm run changes` did. */
export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A folder with a project in it. */
export class Project implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'changes-'));

  /** Writes specs, as `edits.ts` has them. */
  spec(texts: Texts): this {
    for (const [path, text] of specsOf(texts)) this.write(path, text);
    return this;
  }

  write(path: string, text: string): this {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
    return this;
  }

  remove(path: string): this {
    rmSync(join(this.root, path));
    return this;
  }

  git(...args: readonly string[]): this {
    execFileSync('git', args, { cwd: this.root, env, stdio: 'pipe' });
    return this;
  }

  init(): this {
    return this.git('init', '--quiet', '--initial-branch=main');
  }

  commit(): this {
    return this.git('add', '--all').git('commit', '--quiet', '--allow-empty', '--message=A change');
  }

  changes(...args: readonly string[]): Promise<Run> {
    return this.changesIn('.', ...args);
  }

  changesIn(folder: string, ...args: readonly string[]): Promise<Run> {
    return new Promise((resolve) => {
      const options = { cwd: join(this.root, folder), env };
      execFile(process.execPath, [command, ...args], options, (error, out, err) => {
        resolve({ code: error ? Number(error.code) : 0, out, err });
      });
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
