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
  /** Lines to write into the file. */
  readonly template?: string;
}

export const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

/** The order in which diagnostics are shown: by file, then from top to bottom. */
export const byLocation = (a: Diagnostic, b: Diagnostic): number =>
  compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.message, b.message);

// By code units: the same everywhere, whatever the locale.
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A file name without control characters, which could change what a terminal shows: ESC is `\x1b`. */
export const printableName = (file: string): string =>
  file.replaceAll(/\p{Cc}/gu, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** A diagnostic on one line, in the form that editors and CI turn into links: `file:line:column: message`. */
export const formatDiagnostic = ({ file, line, column, severity, message }: Diagnostic): string =>
  `${printableName(file)}:${line}:${column}: ${severity === 'warning' ? 'warning: ' : ''}${message}`;

/** The longest part of a line that an excerpt shows. */
const excerptWidth = 120;

/**
 * The diagnostics, each with the lines that it is about and a marker below.
 *
 * @param contents the files, by path
 */
export function formatWithExcerpts(
  diagnostics: readonly Diagnostic[],
  contents: ReadonlyMap<string, string>,
): string[] {
  const linesOf = new Map<string, readonly string[]>();
  return diagnostics.map((diagnostic) => {
    const lines = linesOf.getOrInsertComputed(diagnostic.file, (file) => contents.get(file)?.split('\n') ?? []);
    return formatWithExcerpt(diagnostic, lines);
  });
}

function formatWithExcerpt(diagnostic: Diagnostic, lines: readonly string[]): string {
  const { line, column, endColumn, template } = diagnostic;
  const meant = lines[line - 1];
  const first = formatDiagnostic(diagnostic);
  const more = template === undefined ? [] : template.split('\n').map((text) => `  ${text}`.trimEnd());
  if (meant === undefined) return [first, ...more].join('\n');
  const width = String(line).length;
  const gutter = (number: number | string): string => `  ${String(number).padStart(width)} | `;
  // A long line is cut to the part around the marker.
  const start = column > excerptWidth - 40 ? column - 41 : 0;
  const cut = (text: string): string => {
    const part = text.slice(start, start + excerptWidth).toWellFormed();
    return `${start > 0 ? '…' : ''}${part}${text.length > start + excerptWidth ? '…' : ''}`;
  };
  // The line before often names the field or key.
  const before = lines[line - 2];
  const context = before !== undefined && before.slice(start).trim() !== '' ? [gutter(line - 1) + cut(before)] : [];
  const padding = (start > 0 ? ' ' : '') + meant.slice(start, column - 1).replaceAll(/[^\t]/g, ' ');
  const end = Math.min(endColumn, meant.length + 1, start + excerptWidth + 1);
  const marker = padding + '^'.repeat(Math.max(1, end - column));
  return [first, ...context, gutter(line) + cut(meant), gutter('') + marker, ...more].join('\n');
}

/** An annotation in a pull request, as GitHub's workflow commands write it. */
export function formatForGitHub(diagnostic: Diagnostic): string {
  const { file, line, column, endColumn, severity, message, template } = diagnostic;
  const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${severity} file=${property(file)},line=${line},col=${column},endColumn=${endColumn}::${data(template === undefined ? message : `${message}\n${template}`)}`;
}
