import { CliError } from '../../kernel/model/errors.ts';
import { isEmptyRow } from './cells.ts';
import { matchColumns } from './columns.ts';
import { CsvReader, CsvRefusal, type CsvRow } from './csv.ts';
import { readRow } from './csv-row.ts';
import { csvFaults, describeFault } from './faults.ts';
import { FileText, type Source, type SourceOptions } from './source.ts';

/**
 * Opens a CSV file (RFC 4180) whose first row names its columns.
 *
 * @throws CliError if it cannot be read, or its columns cannot be matched with the fields
 */
export async function openCsv({ file, fields, renames, fixed, delimiter }: SourceOptions): Promise<Source> {
  const content = new FileText(file);
  const rows = cellsOf(file, content, delimiter);
  const header = await rows.next();
  if (header.done) throw new CliError(`${file} is empty: its first row must name the columns.`);
  const columns = header.value.cells.map((cell) => cell ?? '');
  const note = /^sep=(.)?/.exec(columns[0] ?? '');
  if (note) {
    const delimiterOption = note[1] === undefined || note[1] === delimiter ? '' : ` and add --delimiter '${note[1]}'`;
    throw new CliError(
      `${file}:1: The line is a note for a spreadsheet, not the names of columns: remove it${delimiterOption}.`,
    );
  }
  const matched = matchColumns(columns, fields, renames);
  if (matched.problems.length > 0) {
    const hint = delimiterHint(columns);
    throw new CliError([`${file}:1: The columns are not valid:`, ...matched.problems, ...hint].join('\n  '));
  }
  const used = matched.fields.map((field) => (field && Object.hasOwn(fixed, field.name) ? undefined : field));
  let emptyRows = 0;
  return {
    columns,
    fields: new Set([...used.flatMap((field) => field?.reference ?? field?.name ?? []), ...Object.keys(fixed)]),
    readOnly: new Set(matched.readOnly),
    get part() {
      return content.part;
    },
    get emptyRows() {
      return emptyRows;
    },
    rows: (async function* () {
      for await (const row of rows) {
        if (isEmptyRow(row.cells)) emptyRows++;
        else yield readRow(row, { columns, fields: used, notation: 'api', describe: describeFault }, fixed);
      }
    })(),
  };
}

/** Spreadsheets separate cells with semicolons if the comma is for decimals: the header is one cell then. */
function delimiterHint([column = '', ...others]: readonly string[]): string[] {
  if (others.length > 0) return [];
  return [';', '\t'].filter((character) => column.includes(character)).map(hintOf);
}

const hintOf = (delimiter: string): string =>
  delimiter === ';'
    ? "If semicolons separate the columns, add --delimiter ';'."
    : 'If tabs separate the columns, add --delimiter tab.';

async function* cellsOf(file: string, content: FileText, delimiter: string): AsyncGenerator<CsvRow, void> {
  const reader = new CsvReader(delimiter);
  try {
    for await (const chunk of content.chunks()) yield* reader.read(chunk);
    yield* reader.end();
  } catch (error) {
    if (!(error instanceof CsvRefusal)) throw error;
    const { fault, line, next = '' } = error;
    const hint = delimiter === ',' && /[;\t]/.test(next) ? ` ${hintOf(next)}` : '';
    throw new CliError(`${file}:${line}: In the row that begins here, ${csvFaults[fault]}.${hint}`);
  }
}
