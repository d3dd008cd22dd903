import type { Reads } from '../../../kernel/values/reads.ts';

/** A value of a field as the JSON of its record has it: decimals and times are strings. */
export type Value = string | number | boolean | null | readonly (string | number | boolean | null)[];

export interface Rule<R = ReadableRecord> {
  /** The expression of the spec. */
  readonly that: string;
  /** The expression that must hold for the rule to apply. */
  readonly when?: string;
  readonly message: string;
  /** The field that clients show the message at. */
  readonly field?: string;
  /** It depends on totals of line items: a batch, which may have changed some of them only, checks it at its end. */
  readonly isOverTotals?: true;
  /**
   * Fields of other records that it reads, by the names under which `expand` shows these records. Without one of the records it
   * is not checked; the record is null if the reference is.
   */
  readonly reads?: Reads;
  /**
   * A rule whose arithmetic fails throws, and is broken.
   *
   * @param record all fields, as they would be after the write, and the records that it reads
   * @param time that of the write, ISO 8601 in UTC
   */
  readonly isBroken: (record: R, time: string) => boolean;
}

/** A comparison of a field with a value. A null is equal to null alone, and neither before nor behind a value. */
export interface RowTest {
  readonly field: string;
  readonly is: '==' | '!=' | '<' | '<=' | '>' | '>=';
  readonly value: string | number | boolean | null;
}

/**
 * A value over all line items of a record, or over all records that reference it. The sum of none is 0; the smallest and the
 * largest of none are null.
 */
export interface Total {
  /** The table of these. */
  readonly items: string;
  /** Their reference to the record; none of line items. */
  readonly by?: string;
  readonly of: 'sum' | 'count' | 'min' | 'max';
  /** A field of them; none for their number. Sums are of integers or decimals, which are exact. */
  readonly field?: string;
  /** Those count that pass all tests of one of these groups; without it, all do. */
  readonly when?: readonly (readonly RowTest[])[];
}

/** The name of a total: its expression without spaces, but for those in texts. */
export const totalName = (expression: string): string =>
  expression.replaceAll(/("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\s+/g, (_, text: string | undefined) => text ?? '');

/** A field that follows from others. */
export interface Computed<R = JsonRecord, T = Totals> {
  /** That of the spec, with the time zone of its days unless it is UTC. If it changes, stored records are computed again. */
  readonly expression: string;
  /**
   * Computes a value that the field can hold. It throws if there is none: the write is refused.
   *
   * @param record all fields; those computed before this one are up to date
   */
  readonly compute: (record: R, totals: T) => Value;
}

/** A record in its JSON form. */
export type JsonRecord = Readonly<Record<string, Value>>;

/** Records that a record names, by the names under which `expand` shows them; null if the reference is. */
export type NamedRecords = Readonly<Record<string, JsonRecord | null>>;

/** A record, and those that it names. */
export type ReadableRecord = Readonly<Record<string, Value | JsonRecord>>;

/** The totals of a record, by their expressions. Decimals are strings, with the scale of the field that is added up. */
export type Totals = Readonly<Record<string, string | number | null>>;

/**
 * The rules of a spec about the values of a resource beyond single fields, as functions. They read nothing but their parameters.
 *
 * @typeParam W the record with those that it names
 */
export interface Logic<R = JsonRecord, T = Totals, W = ReadableRecord> {
  /** The module that exports it, and its name there: other threads load it by them. */
  readonly url: string;
  readonly name: string;
  readonly rules: readonly Rule<W>[];
  /** By their expressions, like `sum(items.amount)`. */
  readonly totals: Readonly<Record<string, Total>>;
  /** By field, in an order in which each one comes behind those that it needs. */
  readonly computed: Readonly<Record<string, Computed<R, T>>>;
  /** The rules of transitions that have any, by their names. */
  readonly transitions: Readonly<Record<string, readonly Rule<W>[]>>;
  /** Whether the console shows groups of fields, by their titles. Those without a condition are not here. */
  readonly form?: Readonly<Record<string, (record: R, time: string) => boolean>>;
}

/**
 * The values of a record as generated functions see them. The generator has checked their types: TypeScript refuses what is
 * valid there, like a comparison with one text behind another.
 */
export type Checked<R> = {
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly [name in keyof R]: NonNullable<R[name]> extends readonly unknown[] ? readonly any[] : any;
};

/**
 * The logic of a resource. Parts that a generated file leaves out are empty.
 *
 * @typeParam R the record as a client sees it
 * @typeParam N the records that rules read, by the names under which `expand` shows them
 */
export const logic = <R extends object, N extends object = object>(
  parts: Pick<Logic, 'url' | 'name'> &
    Partial<Logic<Checked<R>, Checked<Totals>, Checked<R> & { readonly [name in keyof N]: Checked<N[name]> }>>,
): Logic =>
  // It is called with records of its own table alone.
  ({ rules: [], totals: {}, computed: {}, transitions: {}, ...parts }) as unknown as Logic;
