import { groupLength } from '../limits.ts';
import { createHash } from 'node:crypto';
import { maxBatchOperations, maxBatchValues } from '../../model/limits.ts';
import type { SourceRow } from './source.ts';

/** Rows of a file that are sent together. */
export interface Batch {
  readonly number: number;
  readonly rows: readonly SourceRow[];
  /** The places of rows that are not sent. */
  readonly without: Set<number>;
  /** When it was last known to be on its way, in milliseconds; 0 if it was not sent. */
  at: number;
}

export const rowsToSend = ({ rows, without }: Batch): SourceRow[] => rows.filter((_, place) => !without.has(place));

/** A digest of rows: others have another one. */
export function hashOf(rows: readonly SourceRow[]): string {
  const hash = createHash('sha256');
  for (const { text } of rows) hash.update(text).update('\n');
  return hash.digest('base64url').slice(0, 22);
}

/** The next rows, up to a number of them. */
export async function nextRows(rows: AsyncIterator<SourceRow>, count: number): Promise<SourceRow[]> {
  const taken: SourceRow[] = [];
  while (taken.length < count) {
    const row = await rows.next();
    if (row.done) break;
    taken.push(row.value);
  }
  return taken;
}

/** Divides rows into groups that each fit into a batch. @param fields how many a row has at most */
export async function* groups(rows: AsyncIterator<SourceRow>, fields: number): AsyncGenerator<SourceRow[]> {
  const most = Math.min(maxBatchOperations, Math.floor(maxBatchValues / (fields + 8)));
  let group: SourceRow[] = [];
  let length = 0;
  for (let row = await rows.next(); !row.done; row = await rows.next()) {
    const { text } = row.value;
    if (group.length > 0 && (group.length >= most || length + text.length > groupLength)) {
      yield group;
      group = [];
      length = 0;
    }
    group.push(row.value);
    length += text.length;
  }
  if (group.length > 0) yield group;
}
