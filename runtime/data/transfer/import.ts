import { setTimeout as wait } from 'node:timers/promises';
import { CliError } from '../../model/errors.ts';
import { maxBatchBytes, outcomeDelay } from '../../model/limits.ts';
import { batchPath } from '../../model/operations.ts';
import type { Problem } from '../../client/failure.ts';
import type { Api, Sent } from './api.ts';
import { type Batch, groups, hashOf, nextRows, rowsToSend } from './batch.ts';
import { checkRow, locateError } from './check.ts';
import { findStored } from './find-stored.ts';
import type { Journal, JournaledBatch } from './journal.ts';
import type { Resource } from './resource.ts';
import type { RowError, Source, SourceRow } from './source.ts';

/** Characters of a row that is sent alone, as a batch of it might be too long. */
const loneRow = maxBatchBytes / 8;

interface BatchResponse {
  readonly results: readonly { readonly body: { readonly id: string } }[];
}

/** Events of a running import. */
interface ImportEvents {
  /** @param count how many rows more are stored */
  stored(count: number): void;
  /** A row that is not imported; it is asked for each one once, those that an earlier import has met included. */
  rejected(row: SourceRow, errors: readonly RowError[]): void;
}

/** How rows are sent. */
export interface ImportOptions {
  /** Batches at once. With one, records are created in the order of the rows. */
  readonly parallel: number;
  /** Whether other rows are imported if some are not valid. */
  readonly skipsErrors: boolean;
}

/** Creates a record of each row of a source, exactly once, also after an interruption. */
export class Import {
  readonly #api: Api;
  readonly #resource: Resource;
  readonly #journal: Journal;
  readonly #options: ImportOptions;
  readonly #events: ImportEvents;
  readonly #active = new Set<Promise<void>>();
  /** Batches that may be stored or not. */
  #open: Batch[] = [];
  #failure: Error | undefined;
  #isStopped = false;

  constructor(api: Api, resource: Resource, journal: Journal, options: ImportOptions, events: ImportEvents) {
    this.#api = api;
    this.#resource = resource;
    this.#journal = journal;
    this.#options = options;
    this.#events = events;
  }

  /**
   * Sends all rows that were not stored before.
   *
   * @returns false if it was stopped before the end
   * @throws CliError when the rows that were stored before have changed, or the server refuses something else than a row
   */
  async run(source: Source): Promise<boolean> {
    try {
      for await (const batch of this.#batchesOf(source)) {
        await this.#decideOpen();
        if (this.#isStopped || this.#failure) break;
        this.#start(batch);
        while (this.#active.size >= this.#options.parallel) await Promise.race(this.#active);
      }
    } finally {
      await Promise.all(this.#active);
    }
    if (!this.#isStopped) await this.#decideOpen();
    if (this.#failure) throw this.#failure;
    return !this.#isStopped;
  }

  /** Sends nothing more; `run` ends when all that was sent has a response. */
  stop(): void {
    this.#isStopped = true;
  }

  /** The batches to send. Batches of an earlier import are recognized on the way. */
  async *#batchesOf(source: Source): AsyncGenerator<Batch> {
    const rows = source.rows[Symbol.asyncIterator]();
    const earlier = [...this.#journal.batches];
    const again: Batch[] = [];
    try {
      for (const [number, known] of earlier.entries()) {
        const batch = await this.#readAgain(rows, number, known);
        if (known.state === 'stored') this.#events.stored(batch.rows.length - batch.without.size);
        else if (known.state === 'sent') this.#open.push(batch);
        else again.push(batch);
      }
      yield* again;
      let number = earlier.length;
      for await (const group of groups(rows, this.#resource.fields.length)) yield this.#newBatch(number++, group);
    } finally {
      await rows.return?.();
    }
  }

  async #readAgain(rows: AsyncIterator<SourceRow>, number: number, known: JournaledBatch): Promise<Batch> {
    const collected = await nextRows(rows, known.rows);
    if (known.state !== 'refused' && hashOf(collected) !== known.hash) {
      throw new CliError(
        `The rows from line ${collected[0]?.line ?? 'the end'} on are not those that were imported before. What is imported ` +
          'cannot be changed here: restore these lines, or put the other rows into a file of their own.',
      );
    }
    if (known.state === 'refused') return this.#newBatch(number, collected);
    for (const place of known.without) {
      const row = collected[place] as SourceRow;
      this.#events.rejected(row, checkRow(this.#resource, row));
    }
    return { number, rows: collected, without: new Set(known.without), at: known.at };
  }

  #newBatch(number: number, rows: readonly SourceRow[]): Batch {
    const batch: Batch = { number, rows, without: new Set(), at: 0 };
    for (const [place, row] of rows.entries()) {
      const errors = checkRow(this.#resource, row);
      if (errors.length > 0) this.#reject(batch, place, errors);
    }
    return batch;
  }

  #reject(batch: Batch, place: number, errors: readonly RowError[]): void {
    batch.without.add(place);
    this.#events.rejected(batch.rows[place] as SourceRow, errors);
    if (!this.#options.skipsErrors) this.#failure ??= new CliError('The import stopped at a row that is not valid.');
  }

  #start(batch: Batch): void {
    const sending = this.#send(batch).catch((error: Error) => {
      this.#failure ??= error;
    });
    this.#active.add(sending);
    void sending.then(() => this.#active.delete(sending));
  }

  async #send(batch: Batch): Promise<void> {
    for (;;) {
      const rows = rowsToSend(batch);
      const hash = hashOf(batch.rows);
      await this.#journal.sent(batch.number, { rows: batch.rows.length, hash, without: [...batch.without] });
      if (rows.length === 0) return this.#journal.stored(batch.number, []);
      const sent = await this.#request(rows);
      if (sent.outcome === 'done') {
        await this.#journal.stored(batch.number, sent.body);
        return this.#events.stored(sent.body.length);
      }
      if (sent.outcome === 'unknown') {
        batch.at = Date.now();
        this.#open.push(batch);
        return;
      }
      const { problem } = sent;
      const row = rows[operationOf(problem) ?? (rows.length === 1 ? 0 : -1)];
      const isOfRow = row !== undefined && 'status' in problem && [409, 413, 422].includes(problem.status);
      if (isOfRow) this.#reject(batch, batch.rows.indexOf(row), errorsOf(row, problem));
      if (!isOfRow || !this.#options.skipsErrors) {
        await this.#journal.refused(batch.number);
        if (isOfRow) return;
        throw new CliError(`The server refuses: ${problem.detail} (${problem.code})`);
      }
    }
  }

  /** Sends rows. @returns the ids of their records */
  async #request(rows: readonly SourceRow[]): Promise<Sent<string[]>> {
    const { path } = this.#resource;
    const [first] = rows;
    if (first && rows.length === 1 && first.text.length > loneRow) {
      const sent = await this.#api.send<{ id: string }>('POST', path, first.body);
      return sent.outcome === 'done' ? { outcome: 'done', body: [sent.body.id] } : sent;
    }
    const operations = rows.map(({ body }) => ({ method: 'POST', path, body }));
    const sent = await this.#api.send<BatchResponse>('POST', batchPath, { operations });
    return sent.outcome === 'done' ? { outcome: 'done', body: sent.body.results.map(({ body: { id } }) => id) } : sent;
  }

  /** Finds out what became of batches without a response; those that were not stored are sent again. */
  async #decideOpen(): Promise<void> {
    while (this.#open.length > 0 && !this.#failure) {
      // A batch that has its response cannot be mistaken for one of them.
      await Promise.all(this.#active);
      const open = this.#open.toSorted((one, other) => one.number - other.number);
      this.#open = [];
      for (const batch of await this.#decide(open)) await this.#send(batch);
    }
  }

  /** @returns the batches that were not stored */
  async #decide(open: readonly Batch[]): Promise<Batch[]> {
    let undecided = [...open];
    const now = Date.now();
    // A clock may have been set back.
    const pause = Math.min(Math.max(0, ...open.map(({ at }) => at + outcomeDelay - now)), outcomeDelay);
    for (const isLast of pause > 0 ? [false, true] : [true]) {
      if (undecided.length === 0) break;
      if (isLast && pause > 0) await wait(Math.max(0, now + pause - Date.now()));
      const found = await findStored(this.#api, this.#resource, undecided.map(rowsToSend), this.#journal.suspects);
      const left: Batch[] = [];
      for (const [index, batch] of undecided.entries()) {
        const ids = found[index];
        if (Array.isArray(ids)) {
          await this.#journal.stored(batch.number, ids);
          this.#events.stored(ids.length);
        } else if (ids === 'partly' && isLast) {
          throw partly(batch);
        } else {
          left.push(batch);
        }
      }
      undecided = left;
    }
    return undecided;
  }
}

const operationOf = (problem: Problem): number | undefined => ('operation' in problem ? problem.operation : undefined);

function errorsOf(row: SourceRow, problem: Problem): RowError[] {
  const errors = 'errors' in problem ? problem.errors : [];
  const prefix = `/operations/${operationOf(problem) ?? 0}/body`;
  const located = errors.map(({ pointer, message }) =>
    locateError(row, pointer.startsWith(prefix) ? pointer.slice(prefix.length) : '', message),
  );
  return located.length > 0 ? located : [{ line: row.line, column: '', message: `is refused: ${problem.detail}` }];
}

const partly = ({ rows }: Batch): CliError =>
  new CliError(
    `The rows from line ${rows[0]?.line} to ${rows.at(-1)?.line} were sent, and the response was lost. Some of them are stored as ` +
      'they are in the file, others are not: somebody has changed or deleted them since. Look at them, and import the rest of ' +
      'the file from a file of its own.',
  );
