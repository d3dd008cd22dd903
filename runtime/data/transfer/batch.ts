import { groupLength } from '../limits.ts';
import { createHash } from 'node:crypto';
import { maxBatchOperations, maxBatchValues } from '../../kernel/model/limits.ts';
import { JsonText } from '../../kernel/values/json-text.ts';
import type { SourceRow } from './source-row.ts';

/** Rows of a file that are sent together. */
export interface Batch {
  /** Its `Idempotency-Key`. */
  readonly key: string;
  readonly rows: readonly SourceRow[];
  /** The places of rows that are not sent. */
  readonly without: Set<number>;
}

export const rowsToSend = ({ rows, without }: Batch): SourceRow[] => rows.filter((_, place) => !without.has(place));

/**
 * The `Idempotency-Key` of a batch: a run of the same import over the same rows has the same.
 *
 * @param purpose tells the import from others @param number the place of the batch in the file
 */
export function keyOf(purpose: string, number: number, rows: readonly SourceRow[]): string {
  const digest = createHash('sha256').update(`${purpose}\n${number}\n`);
  for (const { text } of rows) digest.update(text).update('\n');
  return `import-${digest.digest('base64url')}`;
}

/** Divides rows into groups that each fit into a batch. @param fields how many a row has at most */
export async function* groups(rows: AsyncIterator<SourceRow>, fields: number): AsyncGenerator<SourceRow[]> {
  const most = Math.min(maxBatchOperations, Math.floor(maxBatchValues / (fields + 8)));
  let group: SourceRow[] = [];
  let length = 0;
  // The members and entries of objects of any form count among the values of a batch: each has a character at least.
  let values = 0;
  for (let row = await rows.next(); !row.done; row = await rows.next()) {
    const { text, body } = row.value;
    const more = Object.values(body).some((value) => value instanceof JsonText) ? text.length : 0;
    if (
      group.length > 0 &&
      (group.length >= most || length + text.length > groupLength || values + more > maxBatchValues / 2)
    ) {
      yield group;
      group = [];
      length = 0;
      values = 0;
    }
    group.push(row.value);
    length += text.length;
    values += more;
  }
  if (group.length > 0) yield group;
}
