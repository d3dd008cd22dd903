import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { CliError } from '../../kernel/model/errors.ts';
import type { Cell } from './cells.ts';
import { printCells } from './csv.ts';
import type { Source } from './source.ts';
import type { SourceRow } from './source-row.ts';

/** A file of the rows that are not imported, in the form of the file that they come from. */
export class Rejects {
  readonly file: string;
  rows = 0;
  readonly #descriptor: number;
  /** The delimiter of CSV. */
  readonly #delimiter: string | undefined;
  /** How often each row is in the file since an earlier run. */
  readonly #earlier = new Map<string, number>();

  private constructor(file: string, { columns }: Source, delimiter: string) {
    this.file = file;
    const isNew = !existsSync(file);
    try {
      this.#descriptor = openSync(file, 'a');
    } catch (error) {
      throw new CliError(`${file} cannot be written: ${(error as Error).message}`);
    }
    if (!columns) return;
    this.#delimiter = delimiter;
    if (isNew) writeSync(this.#descriptor, printCells(columns, delimiter));
  }

  /**
   * Opens the file; that of an earlier run is continued.
   *
   * @param input the rows to import @param read reads rows that are in the file
   * @throws CliError if the file cannot be written, or has other columns
   */
  static async open(file: string, input: Source, delimiter: string, read: () => Promise<Source>): Promise<Rejects> {
    const earlier = existsSync(file) ? await read() : undefined;
    if (earlier && earlier.columns?.join() !== input.columns?.join())
      throw new CliError(`${file} already exists, and has other columns. Name another file with --rejects.`);
    const rejects = new Rejects(file, input, delimiter);
    for await (const { text } of earlier?.rows ?? []) {
      const key = text.trimEnd();
      rejects.#earlier.set(key, (rejects.#earlier.get(key) ?? 0) + 1);
    }
    return rejects;
  }

  /** Whether an earlier run has written a row: called once for each. */
  wasAdded({ text }: SourceRow): boolean {
    const key = text.trimEnd();
    const count = this.#earlier.get(key) ?? 0;
    if (count === 0) return false;
    this.#earlier.set(key, count - 1);
    this.rows++;
    return true;
  }

  add({ text }: SourceRow): void {
    this.rows++;
    if (this.#delimiter !== undefined)
      writeSync(this.#descriptor, printCells(JSON.parse(text) as Cell[], this.#delimiter));
    else writeSync(this.#descriptor, `${text.trimEnd()}\n`);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
