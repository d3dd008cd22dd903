import type { Field } from '../../model.ts';

/** The cells of rows, as they were copied. */
export type Table = readonly (readonly string[])[];

/** Spreadsheets copy with tabs; a file of values has the semicolons or commas that its first line has most of. */
function delimiterOf(text: string): string {
  if (text.includes('\t')) return '\t';
  const [line = ''] = text.split('\n', 1);
  return line.split(';').length > line.split(',').length ? ';' : ',';
}

/**
 * Reads cells that were copied from a spreadsheet, or from a file of values. A cell that begins with a quote and ends with one may
 * hold line breaks; other quotes are part of the text. Rows without any text are left out.
 */
export function readTable(text: string): Table {
  const end = `(${delimiterOf(text)}|\\r\\n|[\\r\\n]|$)`;
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"(?=${end})|(.*?))${end}`, 'gy');
  const rows: string[][] = [[]];
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (!match) break;
    const [, quoted, , plain = '', mark = ''] = match;
    rows.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (/[\r\n]/.test(mark)) rows.push([]);
  }
  return rows.filter((row) => row.some((value) => value !== ''));
}

/** The same for spellings of a name that differ in case, spaces and underscores. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+|\*$/g, '');

const named = (fields: readonly Field[], cell: string): Field | undefined =>
  fields.find(({ name, title }) => [name, title].some((one) => plain(one) === plain(cell)));

/** Whether the first row names columns: at least half of its cells are names of fields. */
export function hasHeader(fields: readonly Field[], [first = []]: Table): boolean {
  const cells = first.filter((cell) => cell !== '');
  return cells.length > 0 && cells.filter((cell) => named(fields, cell)).length * 2 >= cells.length;
}

/** The field of each column: by the names of a header, each once, or by the place. Undefined for a column that belongs to none. */
export function fieldsOfColumns(
  fields: readonly Field[],
  header: readonly string[] | undefined,
  count: number,
): readonly (Field | undefined)[] {
  if (!header) return Array.from({ length: count }, (_, at) => fields[at]);
  const taken = new Set<Field>();
  return Array.from({ length: count }, (_, at) => {
    const field = named(fields, header[at] ?? '');
    if (!field || taken.has(field)) return undefined;
    taken.add(field);
    return field;
  });
}
