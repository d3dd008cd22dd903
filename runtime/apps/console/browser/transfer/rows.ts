import { parse } from 'csv-parse/browser/esm/sync';
import { type CellField, csvInput } from '../../../../data/transfer/cells.ts';
import { matchColumns } from '../../../../data/transfer/columns.ts';
import { lineCounter, type Parsed, readRow } from '../../../../data/transfer/csv-row.ts';
import type { RowError, SourceRow } from '../../../../data/transfer/source.ts';
import type { Field, Resource } from '../model.ts';

/** The content of a file. */
export interface ReadFile {
  readonly columns: readonly string[];
  readonly rows: readonly SourceRow[];
  /** Columns that are not imported: the service sets their fields. */
  readonly ignored: readonly string[];
  /** Why it cannot be imported, a sentence each. */
  readonly problems: readonly string[];
}

/** Further problems are not shown. */
const maxProblems = 20;

const cellField = ({ name, type, format, values, nullable, readOnly }: Field): CellField => ({
  name,
  type,
  takesEmpty: type === 'string' && format === undefined && values === undefined,
  takesNull: nullable,
  isReadOnly: readOnly,
});

/** An error of a row as a sentence, with the words of `npm run import`. */
export const sentence = ({ line, column, message }: RowError): string =>
  `Line ${line}: ${column || 'the row'} ${message}.`;

/** The numbers that JSON would carry as null, or as other numbers. */
const inexact = ({ body, locate }: SourceRow, fields: readonly (CellField | undefined)[]): readonly RowError[] =>
  fields.flatMap((field): RowError[] => {
    const value = field && body[field.name];
    if (!field || typeof value !== 'number') return [];
    const isExact = field.type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
    return isExact ? [] : [{ ...locate(field.name), message: 'must be a smaller number' }];
  });

const refused = (...problems: readonly string[]): ReadFile => ({ columns: [], rows: [], ignored: [], problems });

const advice = (): string => 'Rename it in the file, or remove it.';

/** Reads the text of a CSV file whose first row names the fields. */
function readRows(text: string, resource: Resource): ReadFile {
  const delimiter = /^[^\n]*;/.test(text) && !/^[^\n]*,/.test(text) ? ';' : ',';
  let table: Parsed[];
  try {
    table = parse(text, { ...csvInput(delimiter), info: true }) as unknown as Parsed[];
  } catch (error) {
    return refused(`This is not a CSV file: ${error instanceof Error ? error.message : 'it cannot be read'}.`);
  }
  const [header, ...lines] = table;
  if (!header) return refused('The file is empty: its first row must name the columns.');
  const lineOf = lineCounter();
  lineOf(header);
  const columns = header.record.map((cell) => cell ?? '');
  const { fields, readOnly, problems } = matchColumns(columns, resource.fields.map(cellField), new Map(), advice);
  if (problems.length > 0) return refused(...problems);
  if (!fields.some((field) => field)) return refused('No column of the file has the name of a field.');
  const rows = lines.map((parsed) => readRow({ line: lineOf(parsed), cells: parsed.record }, columns, fields));
  const errors = rows.flatMap((row) => [...row.errors, ...inexact(row, fields)]);
  return { columns, rows, ignored: readOnly, problems: errors.slice(0, maxProblems).map(sentence) };
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
  return readRows(text, resource);
}
