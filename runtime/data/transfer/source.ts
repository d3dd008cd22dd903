import { createReadStream, statSync } from 'node:fs';
import { CliError } from '../../kernel/model/errors.ts';
import type { CellField } from './cells.ts';
import type { SourceRow } from './source-row.ts';

/** A file that records are read from, once. */
export interface Source {
  /** Names of the columns, as the file has them; undefined if each row has names of its own. */
  readonly columns?: readonly string[];
  /** The fields that rows have a value for, as far as the columns say. */
  readonly fields?: ReadonlySet<string>;
  /** Fields that only the service sets, and that are left out: those that were seen so far. */
  readonly readOnly: ReadonlySet<string>;
  /** How many rows without any value were left out so far. */
  readonly emptyRows: number;
  /** Which part of the file was read so far, from 0 to 1. */
  readonly part: number;
  readonly rows: AsyncIterable<SourceRow>;
}

/** How a file is read. */
export interface SourceOptions {
  readonly file: string;
  readonly fields: readonly CellField[];
  /** See `matchColumns`. */
  readonly renames: ReadonlyMap<string, string>;
  /** The fields whose value does not come from the file. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly delimiter: string;
}

/** Reads the text of a file, and refuses bytes that are not UTF-8. */
export class FileText {
  readonly #file: string;
  readonly #size: number;
  #read = 0;

  /** @throws CliError if there is no such file */
  constructor(file: string) {
    this.#file = file;
    try {
      this.#size = statSync(file).size;
    } catch (error) {
      throw new CliError(`${file} cannot be read: ${(error as Error).message}`);
    }
  }

  get part(): number {
    return this.#size === 0 ? 1 : this.#read / this.#size;
  }

  /** @throws CliError if the file cannot be read, or is not UTF-8 */
  async *chunks(): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let lines = 1;
    try {
      for await (const chunk of createReadStream(this.#file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
        if (this.#read === 0 && /^(?:\xFF\xFE|\xFE\xFF)/.test(chunk.toString('latin1', 0, 2))) {
          throw new CliError(`${this.#file} is UTF-16. Save it as UTF-8.`);
        }
        // A spreadsheet in its own format is a ZIP file.
        if (this.#read === 0 && chunk.toString('latin1', 0, 4) === 'PK\x03\x04')
          throw new CliError(`${this.#file} is a spreadsheet or an archive. Save the sheet as CSV (UTF-8).`);
        const text = decoder.decode(chunk, { stream: true });
        this.#read += chunk.length;
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
        yield text;
      }
      decoder.decode();
    } catch (error) {
      if (error instanceof TypeError) {
        throw new CliError(`${this.#file} is not UTF-8, in line ${lines} or somewhat later. Save it as UTF-8.`);
      }
      if (error instanceof CliError || (error as NodeJS.ErrnoException).code === undefined) throw error;
      throw new CliError(`${this.#file} cannot be read: ${(error as Error).message}`);
    }
  }
}
