import { CliError } from '../../model/errors.ts';
import { checkRow, missingFields } from './check-row.ts';
import type { Resource } from './resource.ts';
import type { RowError, Source } from './source.ts';

/** The contents of a file. */
export interface Checked {
  readonly rows: number;
  /** The number of rows that cannot be imported. */
  readonly invalid: number;
  /** The first errors of them. */
  readonly errors: readonly RowError[];
  readonly errorCount: number;
}

/** Errors that are shown; of the others their number. */
const maxShown = 20;

/** @throws CliError if no column of a file can be a field that every row must have */
export function requireColumns(resource: Resource, { fields }: Source): void {
  const missing = fields ? missingFields(resource).filter((name) => !fields.has(name)) : [];
  if (missing.length === 0) return;
  throw new CliError(
    `The file has no column for ${missing.join(', ')}, which every ${resource.table.title} must have. ` +
      'Add it, or name the column that holds it with `--map "COLUMN=FIELD"`.',
  );
}

/** Checks each row of a source. @param onRow is told how many were read */
export async function checkFile(resource: Resource, source: Source, onRow: (rows: number) => void): Promise<Checked> {
  const shown: RowError[] = [];
  let rows = 0;
  let invalid = 0;
  let errorCount = 0;
  for await (const row of source.rows) {
    const errors = checkRow(resource, row);
    rows++;
    if (errors.length > 0) invalid++;
    errorCount += errors.length;
    shown.push(...errors.slice(0, maxShown - shown.length));
    onRow(rows);
  }
  return { rows, invalid, errors: shown, errorCount };
}
