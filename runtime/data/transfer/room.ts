import { maxBatchOperations, maxBatchValues } from '../../kernel/model/limits.ts';
import { JsonText } from '../../kernel/values/json-text.ts';
import { groupLength } from '../limits.ts';
import type { SourceRow } from './source-row.ts';

/** The room that a batch has for rows. */
export class Room {
  #rows: number;
  #length = groupLength;
  /** The members and entries of objects of any form count among the values of a batch: each has a character at least. */
  #values = maxBatchValues / 2;
  #isEmpty = true;

  /** @param fields how many a row has at most */
  constructor(fields: number) {
    this.#rows = Math.min(maxBatchOperations, Math.floor(maxBatchValues / (fields + 8)));
  }

  /** Whether one more row fits, which takes its room then. The first row always does. */
  takes({ text, body }: SourceRow): boolean {
    this.#rows--;
    this.#length -= text.length;
    if (Object.values(body).some((value) => value instanceof JsonText)) this.#values -= text.length;
    const fits = this.#isEmpty || (this.#rows >= 0 && this.#length >= 0 && this.#values >= 0);
    this.#isEmpty = false;
    return fits;
  }
}
