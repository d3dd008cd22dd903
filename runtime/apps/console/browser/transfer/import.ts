import { stringify } from 'csv-stringify/browser/esm/sync';
import { csvOutput } from '../../../../data/transfer/cells.ts';
import { type Api, NoAnswer, Refusal } from '../api.ts';
import type { Resource } from '../model.ts';
import { counted } from '../text.ts';
import type { ReadFile, Row } from './rows.ts';

/** As many writes as a batch takes. */
const batchSize = 100;

/** How an import has ended. */
export interface Imported {
  /** Records that were created: the first rows of the file. */
  readonly count: number;
  /** Why the others were not. */
  readonly problems: readonly string[];
}

/** Whether nothing of a batch was stored: a server that has failed may have done so before or after. */
const isUndone = ({ problem: { status, code } }: Refusal): boolean => status < 500 || code === 'overloaded';

/** What the service refuses of a batch, by rows and fields. */
function problemsOf({ problem }: Refusal, rows: readonly Row[]): readonly string[] {
  const row = rows[problem.operation ?? -1];
  const place = row ? `Row ${row.number}` : 'The rows';
  const errors = (problem.errors ?? []).map(
    ({ pointer, message }) => `${place}: ${pointer.split('/').slice(4).join('/') || 'it'} ${message}.`,
  );
  return errors.length > 0 ? errors : [`${place}: ${problem.detail}`];
}

/**
 * Creates a record of each row, a hundred in one commit, in the order of the file. It ends with the first batch that is
 * refused, or, where `signal` stops it, with the batch that is being sent.
 */
export async function importRows(
  api: Api,
  { path }: Resource,
  rows: readonly Row[],
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<Imported> {
  for (let count = 0; count < rows.length; count += batchSize) {
    if (signal.aborted) return { count, problems: [] };
    const batch = rows.slice(count, count + batchSize);
    try {
      await api.post('/api/batch', { operations: batch.map(({ body }) => ({ method: 'POST', path, body })) });
    } catch (error) {
      if (error instanceof Refusal && isUndone(error)) return { count, problems: problemsOf(error, batch) };
      const unknown = `It is not known whether rows ${count + 1} to ${count + batch.length} were stored: look, before you go on.`;
      return {
        count,
        problems: [
          error instanceof NoAnswer || error instanceof Refusal ? error.message : 'The import has ended.',
          unknown,
        ],
      };
    }
    onProgress(count + batch.length);
  }
  return { count: rows.length, problems: [] };
}

/** The rows that are left, as a file: so nothing is imported twice. */
export function restOf({ columns, rows }: ReadFile, count: number): Blob {
  const rest = rows
    .slice(count)
    .map(({ cells }) => Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? null])));
  return new Blob([stringify(rest, { ...csvOutput(columns, ',', false), header: true })], {
    type: 'text/csv;charset=utf-8',
  });
}

/** How many records were created, in words. */
export const outcomeOf = (count: number): string =>
  count === 0 ? 'Nothing was stored.' : `${counted(count, 'record')} created.`;
