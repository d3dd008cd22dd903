import { parse } from 'csv-parse/browser/esm/sync';
import { type Cell, type CellField, type CellValue, csvInput, readCell } from '../../../../data/transfer/cells.ts';
import type { Field, Resource } from '../model.ts';
import { counted } from '../text.ts';

/** A row of a file, as the body that creates its record. */
export interface Row {
  /** From 1 on, without that of the names. */
  readonly number: number;
  readonly cells: readonly Cell[];
  readonly body: Readonly<Record<string, CellValue>>;
}

/** What a file has. */
export interface ReadFile {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** Columns that are not imported. */
  readonly ignored: readonly string[];
  /** Why it cannot be imported, a sentence each. */
  readonly problems: readonly string[];
}

/** More of them help nobody. */
const maxProblems = 20;

const cellField = ({ name, type, format, values, nullable, readOnly }: Field): CellField => ({
  name,
  type,
  takesEmpty: type === 'string' && format === undefined && values === undefined,
  takesNull: nullable,
  isReadOnly: readOnly,
});

/** What JSON could not carry: it would become null, or another number. */
function inexact({ type }: CellField, value: CellValue): string | undefined {
  if (typeof value !== 'number') return undefined;
  if (type === 'integer') return Number.isSafeInteger(value) ? undefined : 'an integer within ±9007199254740991';
  return Number.isFinite(value) ? undefined : 'a number that a double can hold';
}

const normal = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_');

const refused = (problem: string): ReadFile => ({ columns: [], rows: [], ignored: [], problems: [problem] });

/** Reads the text of a CSV file whose first row names the fields, by their names or titles. */
function readRows(text: string, resource: Resource): ReadFile {
  const delimiter = /^[^\n]*;/.test(text) && !/^[^\n]*,/.test(text) ? ';' : ',';
  let table: Cell[][];
  try {
    table = parse(text, csvInput(delimiter)) as unknown as Cell[][];
  } catch (error) {
    return refused(`This is not a CSV file: ${error instanceof Error ? error.message : 'it cannot be read'}.`);
  }
  const [header, ...lines] = table;
  if (!header) return refused('The file is empty: its first row must name the columns.');
  const columns = header.map((cell) => cell ?? '');
  const fields = columns.map((column) => {
    const field = resource.fields.find(
      ({ name, title }) => name === normal(column) || normal(title) === normal(column),
    );
    return field && !field.readOnly ? cellField(field) : undefined;
  });
  const named = fields.flatMap((field) => field?.name ?? []);
  const twice = named.find((name, index) => named.indexOf(name) < index);
  if (named.length === 0) return refused('No column of the file has the name of a field.');
  if (twice !== undefined) return refused(`Two columns are the field ${twice}.`);
  const problems: string[] = [];
  const rows = lines.map((cells, index): Row => {
    const body: Record<string, CellValue> = {};
    if (cells.length !== columns.length) {
      problems.push(`Row ${index + 1} has ${counted(cells.length, 'cell')}, but the header has ${columns.length}.`);
    }
    for (const [place, field] of fields.entries()) {
      if (!field || place >= cells.length) continue;
      const read = readCell(field, cells[place] as Cell);
      const rule = 'rule' in read ? read.rule : inexact(field, read.value);
      if ('rule' in read || rule !== undefined) problems.push(`Row ${index + 1}: ${columns[place]} must be ${rule}.`);
      else if (read.value !== null || field.takesNull) body[field.name] = read.value;
    }
    return { number: index + 1, cells, body };
  });
  const ignored = columns.filter((_, place) => !fields[place]);
  return { columns, rows, ignored, problems: problems.slice(0, maxProblems) };
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
