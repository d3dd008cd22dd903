import type { DecimalSign, SignEvidence } from '../../../../data/transfer/notation.ts';
import { type Api, messageOf } from '../api.ts';
import type { Resource } from '../model.ts';
import { withRules } from '../record/rules.ts';
import { texts } from '../texts.ts';
import { cellFields, fieldsToImport, type Matching, matched, missingFields } from './matching.ts';
import { type Entry, readRows, RowReader, weighRows } from './rows.ts';
import { sendRows } from './send.ts';
import { readSheet, type Sheet } from './sheet.ts';

/** The state of an import. */
export interface ImportState {
  /** Undefined until a file is chosen. */
  readonly sheet?: Sheet;
  readonly matching: Matching;
  /** The evidence of its numbers, once they were looked at. */
  readonly evidence?: SignEvidence;
  /** The decimal sign that they are read with; undefined if the person has to say it. */
  readonly sign: DecimalSign | undefined;
  readonly work: 'none' | 'checking' | 'sending';
  /** The rows that are done of those that the work is about. */
  readonly done: number;
  readonly of: number;
  /** The rows to send that need no look. */
  readonly right: readonly Entry[];
  /** The rows that break a rule, or did when they were read or sent, by their lines. */
  readonly wrong: readonly Entry[];
  /** The records that were created; undefined if nothing was sent yet. */
  readonly stored?: number;
  /** Why the file cannot be imported, or why the import has ended, a sentence each. */
  readonly problems: readonly string[];
}

const isReady = ({ errors }: Entry): boolean => errors.length === 0;

const byLine = (first: Entry, second: Entry): number => first.row.line - second.row.line;

/** The rows that can be sent now: of those that were wrong, those that are mended. */
export const rowsToSend = ({ right, wrong }: ImportState): readonly Entry[] => [...right, ...wrong.filter(isReady)];

/** The rows that are not stored, in the order of the file. */
export const rowsLeft = ({ right, wrong }: ImportState): readonly Entry[] => [...right, ...wrong].toSorted(byLine);

/** The import of a file, from its choice to its last row. */
export class Importing {
  readonly #api: Api;
  readonly #resource: Resource;
  readonly #onChange: () => void;
  state: ImportState = {
    matching: [],
    sign: undefined,
    work: 'none',
    done: 0,
    of: 0,
    right: [],
    wrong: [],
    problems: [],
  };
  #reader: RowReader | undefined;
  /** The decimal sign that the person has chosen. */
  #sign: DecimalSign | undefined;
  #work = new AbortController();
  /** See `Sending`. */
  #size: number | undefined;

  /** @param onChange is called when the state is another one */
  constructor(api: Api, resource: Resource, onChange: () => void) {
    this.#api = api;
    this.#resource = resource;
    this.#onChange = onChange;
  }

  #set(change: Partial<ImportState>): void {
    this.state = { ...this.state, ...change };
    this.#onChange();
  }

  /** Ends the work: rows that are being sent may still be stored. */
  stop(): void {
    this.#work.abort();
  }

  /** Reads a file and checks its rows. */
  async choose(file: Blob): Promise<void> {
    const signal = this.#begin();
    const { sheet: _, stored: __, evidence: ___, ...state } = this.state;
    this.#sign = undefined;
    this.state = { ...state, right: [], wrong: [], problems: [] };
    this.#set({ work: 'checking', done: 0, of: 0 });
    try {
      const sheet = await readSheet(file, signal);
      this.#set({ sheet });
      await this.match(matched(sheet.columns, fieldsToImport(this.#resource)));
    } catch (error) {
      if (signal.aborted) return;
      this.#set({ work: 'none', problems: [messageOf(error)] });
    }
  }

  /** Checks all rows under other fields of the columns. */
  async match(matching: Matching): Promise<void> {
    const signal = this.#begin();
    const { columns, rows } = this.state.sheet as Sheet;
    const fail = (problem: string): void =>
      this.#set({ matching, work: 'none', right: [], wrong: [], problems: [problem] });
    if (!matching.some(Boolean)) return fail(texts.transfer.noColumn);
    const missing = missingFields(matching, this.#resource).map(({ title }) => title);
    if (missing.length > 0) return fail(texts.transfer.missing(missing));
    this.#set({ matching, work: 'checking', done: 0, of: rows.length, problems: [] });
    try {
      const fields = cellFields(this.#resource, matching);
      const evidence = await weighRows(rows, fields, signal);
      const sign = this.#sign ?? evidence.sign;
      this.#set({ evidence, sign });
      const reader = new RowReader(await withRules(this.#resource), columns, fields, sign);
      const entries = await readRows(reader, rows, (done) => this.#set({ done }), signal);
      this.#reader = reader;
      const isRight = ({ errors, doubts }: Entry): boolean => errors.length + doubts.length === 0;
      this.#set({
        work: 'none',
        right: entries.filter(isRight),
        wrong: entries.filter((entry) => !isRight(entry)),
      });
    } catch (error) {
      if (!signal.aborted) fail(messageOf(error));
    }
  }

  /** Reads all rows again, with numbers of this decimal sign. */
  async chooseSign(sign: DecimalSign): Promise<void> {
    this.#sign = sign;
    await this.match(this.state.matching);
  }

  /** Changes a row: see `RowReader.edit`. */
  edit(entry: Entry, column?: number, text?: string): void {
    const reader = this.#reader as RowReader;
    this.#set({
      wrong: this.state.wrong.map((other) =>
        other.row.line === entry.row.line ? reader.edit(other, column, text) : other,
      ),
    });
  }

  /** Sends the rows that can be sent. Refused rows are wrong then, with the reasons of the service. */
  async send(): Promise<void> {
    const signal = this.#begin();
    const entries = rowsToSend(this.state);
    const wrong = this.state.wrong.filter((entry) => !isReady(entry));
    this.#set({
      work: 'sending',
      done: 0,
      of: entries.length,
      right: [],
      wrong,
      stored: this.state.stored ?? 0,
      problems: [],
    });
    const advance = (count: number, change: Partial<ImportState>): void =>
      this.#set({ ...change, done: this.state.done + count });
    try {
      const { left, reasons, size } = await sendRows(entries, {
        api: this.#api,
        path: this.#resource.path,
        reader: this.#reader as RowReader,
        size: this.#size,
        onStored: ({ length }) => advance(length, { stored: (this.state.stored ?? 0) + length }),
        onRefused: (entry) => advance(1, { wrong: [...this.state.wrong, entry].toSorted(byLine) }),
        signal,
      });
      this.#size = size;
      this.#set({ work: 'none', right: left, problems: reasons });
    } catch (error) {
      this.#set({ work: 'none', problems: [messageOf(error)] });
    }
  }

  #begin(): AbortSignal {
    this.stop();
    this.#work = new AbortController();
    return this.#work.signal;
  }
}
