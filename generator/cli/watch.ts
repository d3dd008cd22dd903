import { type FSWatcher, lstatSync, watch } from 'node:fs';
import { join } from 'node:path';
import { entriesUnder } from '../read/files.ts';
import { isSystemError } from '../read/system-error.ts';

/** How often the folders are compared with those that are watched, in milliseconds. */
const interval = 500;

/**
 * Calls `onChange` after every change in a folder and those below. Each folder is watched by itself: the recursive watcher
 * of Node misses files of folders that are replaced, and fails where one disappears while it is read.
 */
export function watchFolder(folder: string, onChange: () => void): void {
  const watchers = new Map<string, FSWatcher>();
  const onEvent = (): void => {
    follow();
    onChange();
  };
  /** Watches the folders that are there now. @returns whether they are others than before */
  function follow(): boolean {
    const present = foldersUnder(folder);
    const gone = [...watchers.keys()].filter((id) => !present.has(id));
    for (const id of gone) {
      watchers.get(id)?.close();
      watchers.delete(id);
    }
    const added = [...present].filter(([id]) => !watchers.has(id));
    for (const [id, path] of added) {
      try {
        watchers.set(
          id,
          watch(path, onEvent).on('error', () => watchers.delete(id)),
        );
      } catch (error) {
        // It has disappeared since, or cannot be read: the next time again.
        if (!isSystemError(error)) throw error;
      }
    }
    return gone.length + added.length > 0;
  }
  follow();
  setInterval(() => {
    if (follow()) onChange();
  }, interval);
}

/** The folders at and below a path, by what tells each from others: none where they cannot be read. */
function foldersUnder(folder: string): ReadonlyMap<string, string> {
  try {
    if (!lstatSync(folder).isDirectory()) return new Map();
    const folders = entriesUnder(folder).filter((entry) => entry.isDirectory());
    const paths = [folder, ...folders.map((entry) => join(entry.parentPath, entry.name))];
    return new Map(
      paths.map((path) => {
        // A number of a removed folder is used again.
        const { ino, birthtimeMs } = lstatSync(path);
        return [`${path} ${ino} ${birthtimeMs}`, path];
      }),
    );
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return new Map();
  }
}
