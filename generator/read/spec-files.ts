import { type Dirent, lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../../runtime/kernel/model/errors.ts';
import { compare, printableName } from './diagnostic.ts';
import { entriesUnder, slashes } from './files.ts';
import { folders, isHooksFile, pathInSpec } from './paths.ts';
import { specText } from './spec-text.ts';
import { describeSystemError, isSystemError } from './system-error.ts';

/** Something in `spec/`, on the disk or in a commit. */
export interface Entry {
  /** The path in the project, with slashes. */
  readonly path: string;
  readonly type: 'file' | 'folder' | 'link' | 'submodule' | 'other';
}

/** The largest number of resources of a service: tsc needs 8 GB of memory for the generated code of as many. */
const maxResources = 1_000;

/** The largest spec file, in bytes. */
const maxBytes = 16 * 1024 ** 2;

const isYaml = (path: string): boolean => /\.ya?ml$/i.test(path);

const isSpec = (path: string): boolean => isYaml(path) || isHooksFile(path);

/** The fault of an entry; undefined if it has none. Ignoring the entry would remove its generated code. */
function faultOf({ path, type }: Entry): string | undefined {
  if (type === 'link')
    return 'a symbolic link, which Git stores without its content; put the file or folder itself there';
  if (type === 'submodule') return 'a submodule, which Git stores without its content; put the files themselves there';
  if (type === 'folder') return isSpec(path) ? 'a folder where a file belongs; move or rename it' : undefined;
  if (type === 'other') return isSpec(path) ? 'not a regular file; remove it' : undefined;
  const isFolderName = path === folders.spec || /^[a-z0-9-]+$/.test(pathInSpec(path));
  return isFolderName ? 'a file where a folder belongs; move or rename it' : undefined;
}

// Emacs marks a file that is edited by a dangling link beside it.
const isLock = ({ path, type }: Entry): boolean => type === 'link' && /(?:^|\/)\.#[^/]*$/.test(path);

/**
 * Chooses the spec files among the entries of `spec/`: all YAML files, whatever the case and form of their extension, and the
 * hooks beside them.
 *
 * @returns their paths, sorted, and a line for each entry that can be neither read nor ignored
 */
export function chooseSpecs(entries: readonly Entry[]): { paths: string[]; faults: string[] } {
  const sorted = entries.filter((entry) => !isLock(entry)).toSorted((a, b) => compare(a.path, b.path));
  const faults = sorted.flatMap((entry) => {
    const fault = faultOf(entry);
    return fault === undefined ? [] : [`${printableName(entry.path)}: ${fault}.`];
  });
  const paths = sorted.filter(({ path, type }) => type === 'file' && isSpec(path)).map(({ path }) => path);
  const { length } = paths.filter(isYaml);
  // The limit is checked before the files are read.
  if (length > maxResources + 1) {
    faults.push(
      `${folders.spec}: there are ${length} spec files; a service can have at most ${maxResources} resources.`,
    );
  }
  return { paths, faults };
}

/**
 * Reads the specs of a project: texts by path, like `spec/crm/lead.yaml`.
 *
 * @throws CliError with a line for everything in `spec/` that cannot be read
 */
export function readSpecs(root: string): Map<string, string> {
  const { paths, faults } = chooseSpecs(entriesOf(root));
  const specs = new Map<string, string>();
  if (faults.length === 0) {
    for (const path of paths) {
      try {
        const { size } = statSync(join(root, path));
        if (size <= maxBytes) specs.set(path, specText(readFileSync(join(root, path))));
        else faults.push(`${path}: ${size} bytes long; a spec file can have at most ${maxBytes}.`);
      } catch (error) {
        if (!isSystemError(error)) throw error;
        faults.push(`${path}: ${describeSystemError(error)}.`);
      }
    }
  }
  if (faults.length > 0) throw new CliError(faults.join('\n'));
  return specs;
}

function entriesOf(root: string): Entry[] {
  const folder = join(root, folders.spec);
  const folderEntry = lstatSync(folder, { throwIfNoEntry: false });
  if (!folderEntry) return [];
  if (!folderEntry.isDirectory()) return [{ path: folders.spec, type: typeOf(folderEntry) }];
  return entriesUnder(folder).map((entry) => ({
    path: `${folders.spec}/${slashes(join(entry.parentPath, entry.name).slice(folder.length + 1))}`,
    type: typeOf(entry),
  }));
}

const typeOf = (entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): Entry['type'] =>
  entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'other';
