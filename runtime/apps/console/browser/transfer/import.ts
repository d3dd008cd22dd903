import { stringify } from 'csv-stringify/browser/esm/sync';
import { type Cell, csvOutput } from '../../../../data/transfer/cells.ts';
import { type Api, NoAnswer, Refusal } from '../api.ts';
import type { Resource } from '../model.ts';
import { counted } from '../text.ts';
import type { SourceRow } from '../../../../data/transfer/source.ts';
import { type ReadFile, sentence } from './rows.ts';

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

/** The errors of a batch, by lines and columns. */
function problemsOf({ problem }: Refusal, rows: readonly SourceRow[]): readonly string[] {
  const row = rows[problem.operation ?? -1];
  if (!row) return [problem.detail];
  const errors = (problem.errors ?? []).map(({ pointer, message }) =>
    sentence({ ...row.locate(pointer.split('/').slice(4).join('/')), message }),
  );
  return errors.length > 0 ? errors : [`Line ${row.line}: ${problem.detail}`];
}

/**
 * Creates a record of each row, a hundred in one commit, in the order of the file. It ends with the first batch that is
 * refused, or, where `signal` stops it, with the batch that is being sent.
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
    try {
      await api.post('/api/batch', { operations: batch.map(({ body }) => ({ method: 'POST', path, body })) });
    } catch (error) {
      if (error instanceof Refusal && isUndone(error)) return { count, problems: problemsOf(error, batch) };
      const unknown = `It is not known whether lines ${batch[0]?.line} to ${batch.at(-1)?.line} were stored: look, before you go on.`;
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
  const rest = rows.slice(count).map(({ text }) => {
    const cells = JSON.parse(text) as Cell[];
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? null]));
  });
  return new Blob([stringify(rest, { ...csvOutput(columns, ',', false), header: true })], {
    type: 'text/csv;charset=utf-8',
  });
}

/** How many records were created, in words. */
export const outcomeOf = (count: number): string =>
  count === 0 ? 'Nothing was stored.' : `${counted(count, 'record')} created.`;
