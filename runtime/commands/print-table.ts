/** Prints rows in columns, each as wide as its longest cell. The first row has the headings. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length)));
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] as number))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** A time to the minute, in UTC. */
export const shownTime = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)}Z`;
