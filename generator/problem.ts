/** A place in a file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Something wrong with a spec, where it is, and what to do. */
export interface Problem extends Place {
  readonly message: string;
}

/** The order in which problems are shown: by file, then from top to bottom. */
export const byPlace = (a: Problem, b: Problem): number =>
  compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.message, b.message);

// By code units: the same everywhere, whatever the locale.
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** One line a problem, in the form that editors and CI turn into links: `file:line:column: message`. */
export const formatProblem = ({ file, line, column, message }: Problem): string =>
  `${file}:${line}:${column}: ${message}`;
