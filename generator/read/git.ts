import { spawnSync } from 'node:child_process';
import { CliError } from '../../runtime/kernel/model/errors.ts';
import { chooseSpecs, type Entry } from './spec-files.ts';
import { folders } from './paths.ts';
import { specText } from './spec-text.ts';

/** A commit to compare with. */
export interface Base {
  readonly commit: string;
  /** The name for users: `the merge base with origin/main`. */
  readonly what: string;
}

/** Git does not have what a command was told to compare with; the message is one line for users. */
export class GitError extends CliError {}

/** The names of the main branch; the first that exists counts. */
const mainBranches = ['origin/main', 'main', 'origin/master', 'master'];

/** Runs a Git command. @returns its output, and if it fails, the reason */
function run(root: string, args: readonly string[], input?: string): { output: Buffer; fault?: string } {
  const { error, status, stdout, stderr } = spawnSync('git', args, {
    cwd: root,
    // Its messages are parsed.
    env: { ...process.env, LC_ALL: 'C' },
    maxBuffer: 2 ** 31 - 1,
    ...(input !== undefined && { input }),
  });
  if (error) throw 'code' in error && error.code === 'ENOENT' ? new GitError('Git is not installed.') : error;
  if (status === 0) return { output: stdout };
  const [line = ''] = String(stderr).split('\n');
  return { output: stdout, fault: line.replace(/^fatal: /, '') };
}

/** The output of a Git command. @throws GitError if it fails */
function git(root: string, args: readonly string[], input?: string): Buffer {
  const { output, fault } = run(root, args, input);
  if (fault === undefined) return output;
  throw new GitError(`Git: ${fault}`);
}

/** One line of output of a Git command; undefined where it fails. */
function ask(root: string, ...args: string[]): string | undefined {
  const { output, fault } = run(root, args);
  return fault === undefined ? output.toString().trim() : undefined;
}

function checkRepository(root: string): void {
  const { fault } = run(root, ['rev-parse', '--git-dir']);
  if (fault?.includes('not a git repository') === true) {
    throw new GitError(`${root} is not in a Git repository: there is nothing to compare with.`);
  }
  if (fault !== undefined) throw new GitError(`Git: ${fault}`);
}

const commitOf = (root: string, revision: string): string | undefined =>
  ask(root, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`);

/** A hint for a shallow clone; empty where the history is complete. */
const shallowHint = (root: string): string =>
  ask(root, 'rev-parse', '--is-shallow-repository') === 'true'
    ? ' The clone is shallow: fetch the rest of the history (git fetch --unshallow, or fetch-depth: 0 in a workflow).'
    : '';

/**
 * Finds the commit to compare with: the one that a revision names, or else the merge base with the main branch. On the
 * main branch itself that is HEAD, so that uncommitted changes are compared.
 *
 * @throws GitError if there is no such commit
 */
export function findBase(root: string, revision?: string): Base {
  checkRepository(root);
  if (revision !== undefined) {
    const commit = commitOf(root, revision);
    if (commit !== undefined) return { commit, what: revision };
    throw new GitError(`Git does not know the revision ${JSON.stringify(revision)}.${shallowHint(root)}`);
  }
  const head = commitOf(root, 'HEAD');
  if (head === undefined) throw new GitError('There is no commit yet to compare with.');
  const main = mainBranches.find((branch) => commitOf(root, branch) !== undefined);
  if (main === undefined) {
    const hint = shallowHint(root) || ' Name a revision: npm run changes -- <revision>';
    throw new GitError(`There is no branch main or master.${hint}`);
  }
  if (ask(root, 'symbolic-ref', '--quiet', '--short', 'HEAD') === main.replace('origin/', '')) {
    return { commit: head, what: 'HEAD: uncommitted changes' };
  }
  const commit = ask(root, 'merge-base', 'HEAD', main);
  if (commit === undefined) throw new GitError(`HEAD and ${main} have no commit in common.${shallowHint(root)}`);
  return { commit, what: `the merge base with ${main}` };
}

const types: Readonly<Record<string, Entry['type']>> = {
  '100': 'file',
  '120': 'link',
  '160': 'submodule',
  '040': 'folder',
};

/**
 * Reads the specs of a commit, as `readSpecs` reads those of the working tree.
 *
 * @throws GitError where `spec/` holds something that cannot be read
 */
export function readSpecsAt(root: string, commit: string): Map<string, string> {
  const lines = git(root, ['ls-tree', '-r', '-t', '-z', commit, '--', folders.spec]).toString().split('\0');
  const ids = new Map<string, string>();
  const entries = lines.flatMap((line): Entry[] => {
    const [, mode = '', id = '', path = ''] = /^(\d{3})\d{3} \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    const type = types[mode];
    ids.set(path, id);
    return type === undefined ? [] : [{ path, type }];
  });
  const { paths, faults } = chooseSpecs(entries);
  if (faults.length > 0) throw new GitError(`In ${commit.slice(0, 12)}, ${faults.join('\n')}`);
  const output = git(root, ['cat-file', '--batch'], paths.map((path) => `${ids.get(path)}\n`).join(''));
  let offset = 0;
  return new Map(
    paths.map((path) => {
      // `<id> blob <bytes>`, a line end, the bytes, a line end.
      const start = output.indexOf('\n', offset) + 1;
      const end = start + Number(output.subarray(offset, start).toString().trim().split(' ').at(-1));
      offset = end + 1;
      return [path, specText(output.subarray(start, end))];
    }),
  );
}
