import { clockTolerance } from '../../model/limits.ts';
import { createReadStream, existsSync } from 'node:fs';
import { appendFile, type FileHandle, open, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { CliError } from '../../model/errors.ts';

/** The purpose of an import: only one with the same can resume it. */
export interface Purpose {
  readonly resource: string;
  readonly url: string;
  readonly organization: string | null;
  readonly map: readonly string[];
  readonly fixed: Readonly<Record<string, string>>;
  readonly delimiter: string;
}

/** Rows that are sent together, as the journal knows them. */
export interface JournaledBatch {
  /** Rows of the file. */
  readonly rows: number;
  /** A digest of these rows. */
  readonly hash: string;
  /** The places of the rows that the server has refused. */
  readonly without: readonly number[];
  readonly state: 'sent' | 'stored' | 'refused';
  /** When it was sent, in milliseconds. */
  readonly at: number;
}

type Line =
  | { readonly import: Purpose; readonly newest: string | null }
  | {
      readonly sent: number;
      readonly rows: number;
      readonly hash: string;
      readonly without?: number[];
      readonly at: number;
    }
  | { readonly stored: number; readonly ids: readonly string[]; readonly at: number }
  | { readonly refused: number }
  | { readonly rejects: string }
  | { readonly finished: number; readonly at: number };

/**
 * The outcome of each batch of an import, in a file beside the input: a line is written, and on the disk, before its batch
 * is sent. A process that is killed leaves a journal that another one continues.
 */
export class Journal {
  readonly file: string;
  readonly purpose: Purpose;
  readonly batches: JournaledBatch[] = [];
  /** The number of imported rows and the time, once the import has come to its end. */
  finished: { readonly rows: number; readonly at: number } | undefined;
  /** The file of the rows that are not imported, if there is one. */
  rejects: string | undefined;
  /** Records with ids up to this one were there before any of the batches whose outcome is not known. */
  #before: string | null;
  /** The batches that were stored since, the oldest first. */
  #recent: { readonly ids: readonly string[]; readonly at: number }[] = [];
  /** When each batch was sent whose outcome is not known. */
  readonly #open = new Map<number, number>();
  /** The length of what was read: behind it is at most a line of which only a part was written. */
  #bytes = 0;
  #handle: FileHandle | undefined;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(file: string, purpose: Purpose, newest: string | null) {
    this.file = file;
    this.purpose = purpose;
    this.#before = newest;
  }

  /** Begins a journal. @param newest the id of the newest record of all. @throws CliError if it cannot be written */
  static async begin(file: string, purpose: Purpose, newest: string | null): Promise<Journal> {
    const journal = new Journal(file, purpose, newest);
    try {
      await writeFile(file, `${JSON.stringify({ import: purpose, newest } satisfies Line)}\n`, {
        flag: 'wx',
        flush: true,
      });
      journal.#handle = await open(file, 'a');
    } catch (error) {
      throw new CliError(`${file} cannot be written: ${(error as Error).message}`);
    }
    return journal;
  }

  /** Reads the journal of an earlier import. @returns undefined if there is none. @throws CliError if it is none */
  static async read(file: string): Promise<Journal | undefined> {
    if (!existsSync(file)) return undefined;
    let journal: Journal | undefined;
    let bytes = 0;
    try {
      for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
        const line = parseLine(text);
        // The line that was being written when the process was killed.
        if (!line) break;
        bytes += Buffer.byteLength(text) + 1;
        if ('import' in line) journal = new Journal(file, line.import, line.newest);
        else if (journal) journal.#note(line);
      }
    } catch (error) {
      throw new CliError(`${file} cannot be read: ${(error as Error).message}`);
    }
    if (!journal) throw new CliError(`${file} is not the journal of an import.`);
    journal.#bytes = bytes;
    return journal;
  }

  /** Continues a journal that was read. No other process may write it. */
  async reopen(): Promise<void> {
    const { size } = await stat(this.file);
    // The end of the last line may be missing.
    if (size < this.#bytes) await appendFile(this.file, '\n');
    else if (size > this.#bytes) await truncate(this.file, this.#bytes);
    this.#handle = await open(this.file, 'a');
  }

  /** Rows that were read, and are stored or were refused one by one. */
  get storedRows(): number {
    return this.batches.reduce(
      (sum, { state, rows, without }) => sum + (state === 'stored' ? rows - without.length : 0),
      0,
    );
  }

  async sent(number: number, batch: Pick<JournaledBatch, 'rows' | 'hash' | 'without'>): Promise<void> {
    const { rows, hash, without } = batch;
    await this.#write(
      { sent: number, rows, hash, ...(without.length > 0 && { without: [...without] }), at: Date.now() },
      true,
    );
  }

  async stored(number: number, ids: readonly string[]): Promise<void> {
    await this.#write({ stored: number, ids, at: Date.now() }, false);
  }

  async refused(number: number): Promise<void> {
    await this.#write({ refused: number }, false);
  }

  /** Notes the file of the rows that are not imported: who resumes the import replaces it. */
  async rejectsInto(file: string): Promise<void> {
    await this.#write({ rejects: file }, false);
  }

  /** Replaces the journal by a note that the import is done. */
  async finish(rows: number): Promise<void> {
    await this.close();
    const lines: Line[] = [
      { import: this.purpose, newest: null },
      { finished: rows, at: Date.now() },
    ];
    const temporary = `${this.file}.new`;
    await writeFile(temporary, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { flush: true });
    await rename(temporary, this.file);
  }

  async close(): Promise<void> {
    // Its writer is told of its failure.
    await this.#last.catch(() => {});
    await this.#handle?.close();
    this.#handle = undefined;
  }

  static remove(file: string): Promise<void> {
    return rm(file, { force: true });
  }

  /** The records to search for those of batches whose outcome is not known. */
  get suspects(): { readonly after: string | null; readonly except: ReadonlySet<string> } {
    return { after: this.#before, except: new Set(this.#recent.flatMap(({ ids }) => ids)) };
  }

  async #write(line: Exclude<Line, { import: unknown }>, isSynced: boolean): Promise<void> {
    this.#note(line);
    const written = this.#last.then(async () => {
      await this.#handle?.appendFile(`${JSON.stringify(line)}\n`);
      if (isSynced) await this.#handle?.datasync();
    });
    // Behind a line of which only a part was written, no other one could be read: what follows fails, too.
    this.#last = written;
    await written;
  }

  /** Takes over a line. */
  #note(line: Exclude<Line, { import: unknown }>): void {
    if ('sent' in line) {
      const { rows, hash, without = [], at } = line;
      this.batches[line.sent] = { rows, hash, without, state: 'sent', at };
      this.#open.set(line.sent, at);
    } else if ('stored' in line) {
      this.#change(line.stored, 'stored');
      if (line.ids.length > 0) this.#recent.push({ ids: line.ids, at: line.at });
      this.#forget(line.at);
    } else if ('refused' in line) {
      this.#change(line.refused, 'refused');
    } else if ('rejects' in line) {
      this.rejects = line.rejects;
    } else {
      this.finished = { rows: line.finished, at: line.at };
    }
  }

  #change(number: number, state: JournaledBatch['state']): void {
    const batch = this.batches[number];
    if (batch) this.batches[number] = { ...batch, state };
    this.#open.delete(number);
  }

  /** Forgets what was stored well before any batch was sent whose outcome is open. */
  #forget(now: number): void {
    const end = Math.min(now, ...this.#open.values()) - clockTolerance;
    let count = 0;
    while (count < this.#recent.length - 1 && (this.#recent[count]?.at ?? 0) < end) count++;
    for (const { ids } of this.#recent.splice(0, count)) {
      for (const id of ids) if (this.#before === null || id > this.#before) this.#before = id;
    }
  }
}

function parseLine(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}
