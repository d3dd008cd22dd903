/** A number with separators between the thousands. */
export const grouped = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** The most that a value should be, and whether that holds. */
export const judged = (value: number, aim: number, digits: number): string =>
  `${grouped(aim, digits)} ${value <= aim ? 'met   ' : 'missed'}`;

/** Lines of text with aligned columns: the first to the left, the others to the right. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, cell.length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}
