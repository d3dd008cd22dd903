import { stringify } from 'csv-stringify/sync';
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { CliError } from '../../model/errors.ts';
import { type Cell, csvOutput } from './cells.ts';
import type { Source, SourceRow } from './source.ts';

/** A file of the rows that are not imported, in the form of the file that they come from. */
export class Rejects {
  readonly file: string;
  rows = 0;
  readonly #descriptor: number;
  readonly #csv: ReturnType<typeof csvOutput> | undefined;

  /**
   * @param isReplaced whether the file is that of an earlier attempt
   * @throws CliError if the file cannot be written
   */
  constructor(file: string, { columns }: Source, delimiter: string, isReplaced: boolean) {
    if (existsSync(file) && !isReplaced)
      throw new CliError(`${file} already exists. Name another file with --rejects.`);
    this.file = file;
    try {
      this.#descriptor = openSync(file, 'w');
    } catch (error) {
      throw new CliError(`${file} cannot be written: ${(error as Error).message}`);
    }
    if (!columns) return;
    this.#csv = csvOutput(columns, delimiter, false);
    this.#write([...columns]);
  }

  add({ text }: SourceRow): void {
    this.rows++;
    if (this.#csv) this.#write(JSON.parse(text) as Cell[]);
    else writeSync(this.#descriptor, `${text.trimEnd()}\n`);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** Also rows that have more cells than there are columns. */
  #write(cells: readonly Cell[]): void {
    const { columns: _, ...options } = this.#csv as ReturnType<typeof csvOutput>;
    writeSync(this.#descriptor, stringify([[...cells]], options));
  }
}
