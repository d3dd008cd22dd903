import { relative } from 'node:path';
// Uses only what an older Node has: `init` runs on the machine's own.
import { getSystemErrorMap } from 'node:util';
import { CliError } from '../../runtime/kernel/model/errors.ts';

type SystemError = NodeJS.ErrnoException & { readonly errno: number; readonly dest?: string };

/** Whether an error comes from the operating system, like a missing file or a full disk. */
export const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).errno === 'number' && 'syscall' in error;

const failed: Readonly<Record<string, string>> = {
  mkdir: 'cannot be created',
  rename: 'cannot be replaced',
  unlink: 'cannot be removed',
  rm: 'cannot be removed',
  rmdir: 'cannot be removed',
  write: 'cannot be written',
  scandir: 'cannot be read',
  read: 'cannot be read',
  watch: 'cannot be watched',
};

const advice: Readonly<Record<string, string>> = {
  EACCES: 'check its owner and its mode',
  EPERM: 'check its owner and its mode',
  EROFS: 'mount it for writing, or work on a copy',
  ENOSPC: 'free some space',
  EISDIR: 'a folder stands where a file belongs; move it',
  ENOTDIR: 'a file stands where a folder belongs; move it',
  EEXIST: 'a file stands where a folder belongs; move it',
  ENOTEMPTY: 'a folder stands where a file belongs; move it',
  ELOOP: 'its symbolic links lead in a circle',
};

/** An error of the operating system in words, without the path: `cannot be opened: permission denied (…)`. */
export function describeSystemError({ errno, code = '', syscall = '' }: SystemError): string {
  const hint = advice[code];
  return `${failed[syscall] ?? 'cannot be opened'}: ${getSystemErrorMap().get(errno)?.[1] ?? code}${hint === undefined ? '' : `; ${hint}`}`;
}

/** An error of the operating system as one line: the path, from the working directory, and the reason. */
function formatSystemError(error: SystemError): string {
  const path = error.dest ?? error.path;
  return `${path === undefined ? 'A file' : relative(process.cwd(), path) || '.'}: ${describeSystemError(error)}.`;
}

/** The message of an error that is made for users, or one of the operating system; undefined for all others. */
export function messageOf(error: unknown): string | undefined {
  if (error instanceof CliError) return error.message;
  return isSystemError(error) ? formatSystemError(error) : undefined;
}
