import { type Cell, type CellField, isEmptyRow } from '../../../../data/transfer/cells.ts';
import { matchColumns } from '../../../../data/transfer/columns.ts';
import { CsvReader, CsvRefusal, type CsvRow, printRow } from '../../../../data/transfer/csv.ts';
import { readRow } from '../../../../data/transfer/csv-row.ts';
import type { RowError, SourceRow } from '../../../../data/transfer/source-row.ts';
import type { ServerProblem } from '../../../../client/failure.ts';
import { type Api, messageOf, problemOf } from '../api.ts';
import { type Field, isFreeText, type Resource } from '../model.ts';
import { withRules } from '../record/rules.ts';
import { texts } from '../texts.ts';
import { rowChecker, rulesBrokenBy } from './check.ts';

/** The content of a file. */
export interface ReadFile {
  readonly columns: readonly string[];
  readonly rows: readonly SourceRow[];
  /** Columns that are not imported: the service sets their fields. */
  readonly ignored: readonly string[];
  /** How many rows without any value are left out. */
  readonly emptyRows: number;
  /** Why it cannot be imported, a sentence each. */
  readonly problems: readonly string[];
  /** Rules that it seems to break: the server decides. */
  readonly warnings: readonly string[];
}

/** Further problems are only counted. */
const maxProblems = 20;

const cellField = (field: Field): CellField => ({
  name: field.name,
  type: field.type,
  takesEmpty: isFreeText(field),
  takesNull: field.nullable,
  isReadOnly: field.readOnly,
});

/** An error of a row as a sentence, with the words of `npm run import`. */
export const sentence = ({ line, column, message }: RowError): string =>
  // The message of a rule is one.
  /^\p{Ll}/u.test(message) ? `Line ${line}: ${column || 'the row'} ${message}.` : `Line ${line}: ${message}`;

/** The first errors as sentences, and how many there are more. */
const sentences = (errors: readonly RowError[]): readonly string[] => {
  const more = errors.length - maxProblems;
  return [...errors.slice(0, maxProblems).map(sentence), ...(more > 0 ? [`And ${more} more.`] : [])];
};

/** A file that cannot be imported, and why. */
export const refused = (...problems: readonly string[]): ReadFile => ({
  columns: [],
  rows: [],
  ignored: [],
  emptyRows: 0,
  problems,
  warnings: [],
});

const advice = (): string => 'Rename it in the file, or remove it.';

/** Reads the text of a CSV file whose first row names the fields. */
function readRows(text: string, resource: Resource): ReadFile {
  const delimiter = /^[^\n]*;/.test(text) && !/^[^\n]*,/.test(text) ? ';' : ',';
  const reader = new CsvReader(delimiter);
  let table: CsvRow[];
  try {
    table = [...reader.read(text), ...reader.end()];
  } catch (error) {
    if (!(error instanceof CsvRefusal)) throw error;
    return refused(`Line ${error.line}: ${error.message}`);
  }
  const [header, ...lines] = table;
  if (!header) return refused('The file is empty: its first row must name the columns.');
  const columns = header.cells.map((cell) => cell ?? '');
  const { fields, readOnly, problems } = matchColumns(columns, resource.fields.map(cellField), new Map(), advice);
  if (problems.length > 0) return refused(...problems);
  if (!fields.some((field) => field)) return refused('No column of the file has the name of a field.');
  const rows = lines.filter(({ cells }) => !isEmptyRow(cells)).map((row) => readRow(row, columns, fields));
  const errors = rows.flatMap(rowChecker(resource));
  const warnings = rows.flatMap((row) => rulesBrokenBy(resource, row));
  const emptyRows = lines.length - rows.length;
  return { columns, rows, ignored: readOnly, emptyRows, problems: sentences(errors), warnings: sentences(warnings) };
}

/** Reads a CSV file as `readRows` does. One that is not UTF-8 is refused: its letters would be lost. */
export async function readFile(file: Blob, resource: Resource): Promise<ReadFile> {
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    return refused('The file cannot be read. Choose it again.');
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refused('The file is not UTF-8. Save it as UTF-8.');
  }
  return readRows(text, await withRules(resource));
}

/** As many writes as a batch takes. */
const batchSize = 100;

/** How an import has ended. */
export interface Imported {
  /** Records that were created: the first rows of the file. */
  readonly count: number;
  /** Why the others were not. */
  readonly problems: readonly string[];
}

/** The errors of a batch, by lines and columns. */
function problemsOf(problem: ServerProblem, rows: readonly SourceRow[]): readonly string[] {
  const row = rows[problem.operation ?? -1];
  if (!row) return [problem.detail];
  const errors = 'errors' in problem ? problem.errors : [];
  const problems = errors.map(({ pointer, message }) =>
    sentence({ ...row.locate(pointer.split('/').slice(4).join('/')), message }),
  );
  return problems.length > 0 ? problems : [`Line ${row.line}: ${problem.detail}`];
}

/** Why a batch was not stored, or may not have been: a server that has failed may have done so before or after. */
function reasonsOf(error: unknown, batch: readonly SourceRow[]): readonly string[] {
  const problem = problemOf(error);
  if (problem && (problem.status < 500 || problem.code === 'overloaded')) return problemsOf(problem, batch);
  const lines = `lines ${batch[0]?.line} to ${batch.at(-1)?.line}`;
  return [messageOf(error), `It is not known whether ${lines} were stored: look, before you go on.`];
}

/**
 * Creates a record of each row, a hundred in one commit, in the order of the file. It ends with the first batch that is
 * refused, or, if `signal` stops it, with the batch that is being sent.
 */
export async function importRows(
  api: Api,
  { path }: Resource,
  rows: readonly SourceRow[],
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<Imported> {
  for (let count = 0; count < rows.length; count += batchSize) {
    if (signal.aborted) return { count, problems: [] };
    const batch = rows.slice(count, count + batchSize);
    const operations = batch.map(({ body }) => ({ method: 'POST', path, body }));
    try {
      await api.send({ method: 'POST', path: '/api/batch', body: { operations } });
    } catch (error) {
      return { count, problems: reasonsOf(error, batch) };
    }
    onProgress(count + batch.length);
  }
  return { count: rows.length, problems: [] };
}

/** The rows that are left, as a file: so nothing is imported twice. */
export function restOf({ columns, rows }: ReadFile, count: number): Blob {
  const rest = rows.slice(count).map(({ text }) => JSON.parse(text) as Cell[]);
  const parts = [columns, ...rest].map((cells) => printRow(cells, { delimiter: ',', isForSpreadsheet: false }));
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}

/** How many records were created, in words. */
export const outcomeOf = (count: number): string =>
  count === 0 ? 'Nothing was stored.' : `${texts.counts.records(count)} created.`;
