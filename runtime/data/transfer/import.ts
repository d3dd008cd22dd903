import { CliError } from '../../kernel/model/errors.ts';
import { maxBatchBytes } from '../../kernel/model/limits.ts';
import { batchPath } from '../../kernel/model/operations.ts';
import type { Problem } from '../../client/failure.ts';
import type { Api, Sent } from './api.ts';
import { type Batch, groups, keyOf, rowsToSend } from './batch.ts';
import { checkRow, locateError } from './check.ts';
import type { Resource } from './resource.ts';
import type { Source } from './source.ts';
import type { RowError, SourceRow } from './source-row.ts';

/** Characters of a row that is sent alone, as a batch of it might be too long. */
const loneRow = maxBatchBytes / 8;

/** Events of a running import. */
interface ImportEvents {
  /**
   * @param count how many rows more are stored
   * @param isEarlier whether an earlier run has stored them
   * @param updates those of them that update records
   */
  stored(count: number, isEarlier: boolean, updates?: Updates): void;
  /** A row that is not imported: called once for each. */
  rejected(row: SourceRow, errors: readonly RowError[]): void;
}

/** Rows that update records, and those of them after which the records are as before. */
export interface Updates {
  readonly updated: number;
  readonly unchanged: number;
}

/** How rows are sent. */
export interface ImportOptions {
  /** Tells the import from others: one with the same purpose continues it. */
  readonly purpose: string;
  /** Batches at once. With one, records are created in the order of the rows. */
  readonly parallel: number;
  /** Whether rows name earlier ones: the ids of all records are kept. One batch is sent at a time then. */
  readonly namesEarlierRows: boolean;
  /** Whether other rows are imported if some are not valid. */
  readonly skipsErrors: boolean;
  /** Whether an earlier run has rejected a row: called once for each. */
  readonly wasRejected: (row: SourceRow) => boolean;
}

/** Creates or updates a record for each row of a source, exactly once, also if an earlier run was interrupted. */
export class Import {
  readonly #api: Api;
  readonly #resource: Resource;
  readonly #options: ImportOptions;
  readonly #events: ImportEvents;
  /** The ids of records by the lines of their rows, in an import whose rows name earlier ones. */
  readonly #ids = new Map<number, string>();
  #failure: Error | undefined;
  #isStopped = false;

  constructor(api: Api, resource: Resource, options: ImportOptions, events: ImportEvents) {
    this.#api = api;
    this.#resource = resource;
    this.#options = options;
    this.#events = events;
  }

  /**
   * Sends all rows; of those that an earlier run has stored, the server gives the first response.
   *
   * @returns false if it was stopped before the end
   * @throws CliError when the server refuses something else than a row
   */
  async run(source: Source): Promise<boolean> {
    const rows = source.rows[Symbol.asyncIterator]();
    const all = groups(rows, this.#resource.fields.length);
    let number = 0;
    const send = async (): Promise<void> => {
      try {
        for await (const group of all) {
          if (this.#isStopped || this.#failure) return;
          await this.#send(this.#newBatch(number++, group));
        }
      } catch (error) {
        this.#failure ??= error as Error;
      }
    };
    await Promise.all(Array.from({ length: this.#options.parallel }, send));
    await rows.return?.();
    if (this.#failure) throw this.#failure;
    return !this.#isStopped;
  }

  /** Sends nothing more; `run` ends when all that was sent has a response. */
  stop(): void {
    this.#isStopped = true;
  }

  #newBatch(number: number, rows: readonly SourceRow[]): Batch {
    const batch: Batch = { key: keyOf(this.#options.purpose, number, rows), rows, without: new Set() };
    for (const [place, row] of rows.entries()) {
      const errors = checkRow(this.#resource, row);
      if (this.#options.wasRejected(row)) batch.without.add(place);
      else if (errors.length > 0) this.#reject(batch, place, errors);
    }
    return batch;
  }

  #reject(batch: Batch, place: number, errors: readonly RowError[]): void {
    batch.without.add(place);
    this.#events.rejected(batch.rows[place] as SourceRow, errors);
    if (!this.#options.skipsErrors) this.#failure ??= new CliError('The import stopped at a row that is not valid.');
  }

  async #send(batch: Batch): Promise<void> {
    for (let rows = rowsToSend(batch); rows.length > 0; rows = rowsToSend(batch)) {
      const orphans = rows.filter((row) => this.#missingLine(row, rows) !== undefined);
      for (const row of orphans) {
        const message = `names the row of line ${this.#missingLine(row, rows)}, which is not imported`;
        this.#reject(batch, batch.rows.indexOf(row), [{ line: row.line, column: '', message }]);
      }
      if (orphans.length > 0 && this.#options.skipsErrors) continue;
      if (orphans.length > 0) return;
      const sent = await this.#request(batch.key, rows);
      if (sent.outcome === 'done') {
        const records = recordsOf(sent.body);
        if (this.#options.namesEarlierRows)
          for (const [index, { id }] of records.entries()) this.#ids.set(rows[index]!.line, id);
        return this.#events.stored(rows.length, sent.isReplayed, updatesAmong(rows, records));
      }
      const { problem } = sent;
      // An earlier run has stored it without other rows, which it has rejected.
      if (problem.code === 'idempotency_key_reused' && !this.#options.namesEarlierRows)
        return this.#events.stored(rows.length, true);
      if (problem.code === 'idempotency_key_reused')
        throw new CliError(
          `An earlier run has stored the batch that begins in line ${batch.rows[0]?.line} without rows that it rejected, and later ` +
            'rows may name its records: continue with the --rejects file of that run.',
        );
      const row = rows[operationOf(problem) ?? (rows.length === 1 ? 0 : -1)];
      const statuses = row?.updates ? [404, 409, 413, 422] : [409, 413, 422];
      const isOfRow = row !== undefined && 'status' in problem && statuses.includes(problem.status);
      if (!isOfRow) throw new CliError(`The server refuses: ${problem.detail} (${problem.code})`);
      this.#reject(batch, batch.rows.indexOf(row), errorsOf(row, problem));
      if (!this.#options.skipsErrors) return;
    }
  }

  /** The line of an earlier row that a row names, if that is neither stored nor sent with it. */
  #missingLine({ earlier = {} }: SourceRow, rows: readonly SourceRow[]): number | undefined {
    return Object.values(earlier).find((line) => !this.#ids.has(line) && rows.every((row) => row.line !== line));
  }

  #request(key: string, rows: readonly SourceRow[]): Promise<Sent<Created>> {
    const { path } = this.#resource;
    const bodies = rows.map(({ body, earlier = {} }) => ({
      ...body,
      ...Object.fromEntries(
        Object.entries(earlier).map(([field, line]) => {
          const result = rows.findIndex((row) => row.line === line);
          return [field, result === -1 ? this.#ids.get(line) : (rows[result]?.updates?.id ?? { result })];
        }),
      ),
    }));
    const operations = rows.map(({ updates }, at) => {
      const write = updates
        ? ({ method: 'PATCH', path: `${path}/${updates.id}` } as const)
        : ({ method: 'POST', path } as const);
      return { ...write, body: bodies[at] };
    });
    const [first] = operations;
    if (first && rows.length === 1 && rows[0]!.text.length > loneRow)
      return this.#api.send(first.method, first.path, first.body, key);
    return this.#api.send('POST', batchPath, { operations }, key);
  }
}

/** The response of a create or an update, or of a batch of them. */
type Created = Stored | { readonly results: readonly { readonly body: Stored }[] };

interface Stored {
  readonly id: string;
  readonly updated_at?: string;
}

const recordsOf = (created: Created): readonly Stored[] =>
  'results' in created ? created.results.map(({ body }) => body) : [created];

/** An update that changes nothing leaves the time of its record. */
function updatesAmong(rows: readonly SourceRow[], records: readonly Stored[]): Updates {
  const updates = rows.flatMap(({ updates: former }, at) => (former ? [{ former, record: records[at] }] : []));
  const unchanged = updates.filter(({ former, record }) => former['updated_at'] === record?.updated_at).length;
  return { updated: updates.length - unchanged, unchanged };
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
