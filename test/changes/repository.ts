import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Commands, type Run } from '../support/commands.ts';
import { specsOf, type Texts } from './edits.ts';

// Neither the settings of who runs the tests, nor a hook that runs them, has a say.
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Author',
  GIT_AUTHOR_EMAIL: 'author@example.org',
  GIT_COMMITTER_NAME: 'Author',
  GIT_COMMITTER_EMAIL: 'author@example.org',
};

/** Runs `npm run changes` for all projects. */
export const commands = new Commands(env);

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
    return commands.run('changes', join(this.root, folder), args);
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
