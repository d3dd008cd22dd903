/** A source location: a part of a line; lines and columns count from 1. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The column after the last character that is meant. */
  readonly endColumn: number;
}

/** An error or a warning about a spec, with its source location. A warning keeps nothing from being generated. */
export interface Diagnostic extends Location {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

export const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

/** The order in which diagnostics are shown: by file, then from top to bottom. */
export const byLocation = (a: Diagnostic, b: Diagnostic): number =>
  compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.message, b.message);

// By code units: the same everywhere, whatever the locale.
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A diagnostic on one line, in the form that editors and CI turn into links: `file:line:column: message`. */
export const formatDiagnostic = ({ file, line, column, severity, message }: Diagnostic): string =>
  `${file}:${line}:${column}: ${severity === 'warning' ? 'warning: ' : ''}${message}`;

/** The diagnostic with the lines that it is about and a marker below; `content` is that of its file. */
export function formatWithExcerpt(diagnostic: Diagnostic, content: string | undefined): string {
  const { line, column, endColumn } = diagnostic;
  const lines = content?.split('\n') ?? [];
  const meant = lines[line - 1];
  if (meant === undefined) return formatDiagnostic(diagnostic);
  const width = String(line).length;
  const gutter = (number: number | string): string => `  ${String(number).padStart(width)} | `;
  // The line before often names the field or key.
  const before = lines[line - 2];
  const context = before !== undefined && before.trim() !== '' ? [gutter(line - 1) + before] : [];
  const padding = meant.slice(0, column - 1).replaceAll(/[^\t]/g, ' ');
  const marker = padding + '^'.repeat(Math.max(1, Math.min(endColumn, meant.length + 1) - column));
  return [formatDiagnostic(diagnostic), ...context, gutter(line) + meant, gutter('') + marker].join('\n');
}

/** An annotation in a pull request, as GitHub's workflow commands write it. */
export function formatForGitHub({ file, line, column, endColumn, severity, message }: Diagnostic): string {
  const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${severity} file=${property(file)},line=${line},col=${column},endColumn=${endColumn}::${data(message)}`;
}
