import { createHash } from 'node:crypto';
import { Room } from './room.ts';
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
  let group: SourceRow[] = [];
  let room = new Room(fields);
  for (let row = await rows.next(); !row.done; row = await rows.next()) {
    if (!room.takes(row.value)) {
      yield group;
      group = [];
      room = new Room(fields);
      room.takes(row.value);
    }
    group.push(row.value);
  }
  if (group.length > 0) yield group;
}
