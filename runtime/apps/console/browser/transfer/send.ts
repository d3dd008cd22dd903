import { Room } from '../../../../data/transfer/room.ts';
import { maxBatchOperations } from '../../../../kernel/model/limits.ts';
import type { ServerProblem } from '../../../../client/failure.ts';
import { type Api, messageOf, problemOf } from '../api.ts';
import { faultAt } from '../fault-text.ts';
import { errorsIn, problemText } from '../problem-text.ts';
import { texts } from '../texts.ts';
import type { Entry, Fault, RowReader } from './rows.ts';

/** How rows are sent. */
interface Sending {
  readonly api: Api;
  /** The path of the resource. */
  readonly path: string;
  readonly reader: RowReader;
  readonly onStored: (entries: readonly Entry[]) => void;
  readonly onRefused: (entry: Entry) => void;
  /** The length of the first batch: one whose response was lost is sent again as it was, so that it is stored once. */
  readonly size?: number | undefined;
  readonly signal: AbortSignal;
}

/** The end of an import. */
export interface End {
  /** The rows that were not sent, or of which it is not known whether they are stored. */
  readonly left: readonly Entry[];
  /** Why it has ended before all rows were sent, a sentence each. */
  readonly reasons: readonly string[];
  /** The length of the batch that has failed. */
  readonly size?: number;
}

/** The errors of the row that a batch was refused for. */
function faultsOf(problem: ServerProblem, { row }: Entry, reader: RowReader): readonly Fault[] {
  const faults = errorsIn(problem).map((error) => {
    const { name, message } = faultAt(error, reader.resource.fields);
    return reader.fault(row.locate(name).column, message);
  });
  return faults.length > 0 ? faults : [{ message: problemText(problem) }];
}

/** The first rows that fit into a batch. */
function batchOf(entries: readonly Entry[], size: number, width: number): readonly Entry[] {
  const room = new Room(width);
  const end = entries.slice(0, size).findIndex(({ row }) => !room.takes(row));
  return entries.slice(0, end === -1 ? size : end);
}

/**
 * Creates a record of each row, many in one commit, in the order of the file. A batch is stored as a whole or not at all, and its
 * problem names one row: this row is left out, and the others are sent again. Batches are short while many rows are refused.
 * It ends with the last row, with a failure that is not about a row, or, if `signal` stops it, with the batch that is being sent.
 */
export async function sendRows(entries: readonly Entry[], sending: Sending): Promise<End> {
  const { api, path, reader, onStored, onRefused, signal } = sending;
  const waiting: Entry[] = [];
  let next = 0;
  let size = sending.size ?? maxBatchOperations;
  for (;;) {
    while (waiting.length < size && next < entries.length) waiting.push(entries[next++] as Entry);
    const left = (): readonly Entry[] => [...waiting, ...entries.slice(next)];
    if (waiting.length === 0 || signal.aborted) return { left: left(), reasons: [] };
    const batch = batchOf(waiting, size, reader.width);
    const operations = batch.map(({ row: { body } }) => ({ method: 'POST', path, body }));
    try {
      await api.send({ method: 'POST', path: '/api/batch', body: { operations } });
    } catch (error) {
      const problem = problemOf(error);
      const place = problem && problem.status < 500 ? problem.operation : undefined;
      const [refused] = place === undefined ? [] : waiting.splice(place, 1);
      if (!problem || !refused) return { left: left(), reasons: reasonsOf(error, batch), size: batch.length };
      onRefused({ ...refused, errors: faultsOf(problem, refused, reader), doubts: [] });
      // Those before it are right.
      size = Math.max(1, place ?? 0);
      continue;
    }
    waiting.splice(0, batch.length);
    size = Math.min(2 * size, maxBatchOperations);
    onStored(batch);
  }
}

/** Why a batch was not stored, or may not have been: a server that has failed may have done so before or after. */
function reasonsOf(error: unknown, batch: readonly Entry[]): readonly string[] {
  const problem = problemOf(error);
  if (problem && (problem.status < 500 || problem.code === 'overloaded')) return [problemText(problem)];
  const [first, last] = [batch[0], batch.at(-1)].map((entry) => entry?.row.line ?? 0) as [number, number];
  return [messageOf(error), texts.transfer.notKnown(first, last)];
}
