import type { Field } from '../../model.ts';
import { fieldNamed } from '../../transfer/matching.ts';
import { delimiterOf } from '../../transfer/sheet.ts';

/** The cells of rows, as they were copied. */
export type Table = readonly (readonly string[])[];

/**
 * Reads cells that were copied from a spreadsheet, or from a file of values. A cell that begins with a quote and ends with one may
 * hold line breaks; other quotes are part of the text. Rows without any text are left out.
 */
export function readTable(text: string): Table {
  // Spreadsheets copy with tabs.
  const end = `(${text.includes('\t') ? '\t' : delimiterOf(text)}|\\r\\n|[\\r\\n]|$)`;
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

/** Whether the first row names columns: at least half of its cells are names of fields. */
export function hasHeader(fields: readonly Field[], [first = []]: Table): boolean {
  const cells = first.filter((cell) => cell !== '');
  return cells.length > 0 && cells.filter((cell) => fieldNamed(fields, cell)).length * 2 >= cells.length;
}
