import { CliError } from '../../runtime/errors.ts';
import { GitError } from '../git.ts';
import { formatSystemError, isSystemError } from '../system-error.ts';

/** The message of an error that is not one of the generator itself; undefined for all others. */
export function messageOf(error: unknown): string | undefined {
  if (error instanceof CliError || error instanceof GitError) return error.message;
  return isSystemError(error) ? formatSystemError(error) : undefined;
}
