import { archived } from '../../runtime/features/archive/feature.ts';
import { copied } from '../../runtime/features/copies/feature.ts';
import { counted } from '../../runtime/features/counts/feature.ts';
import { expands } from '../../runtime/features/projection/feature.ts';
import { refers } from '../../runtime/features/references/feature.ts';
import { sequence } from '../../runtime/features/sequences/feature.ts';
import { always } from '../../runtime/features/stamps/feature.ts';
import { locked } from '../../runtime/features/states/feature.ts';
import { unique } from '../../runtime/features/unique/columns.ts';
import * as fields from '../../runtime/kernel/model/fields.ts';
import type { Format } from '../../runtime/kernel/model/formats.ts';
import { transition } from '../../runtime/kernel/model/table.ts';

/** The name of a function for `date-time`: `dateTime`. */
type CamelCase<T extends string> = T extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Tail>}` : T;

/** The runtime's field helpers. A new format does not compile until it has one. */
const fieldHelpers: typeof fields & Readonly<Record<CamelCase<Format>, () => unknown>> = fields;

/** Helpers that a schema file names for the machinery that they stand for: references, and the traits of tables. */
const namedHelpers = { always, copied, counted, refers, archived, expands, locked, sequence, transition, unique };

const helpers = { ...fieldHelpers, ...namedHelpers };

export type Helper = keyof typeof helpers;

/** An argument of a call: plain data, a regular expression, or the result of another call. */
export type Argument =
  fields.Value | undefined | RegExp | Call | Constant | readonly Argument[] | { readonly [key: string]: Argument };

/** A constant of the same file, by its name. */
export class Constant {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A call of a field helper, as data: printed in the generated code, and made by the generator itself. */
export class Call {
  readonly helper: Helper;
  readonly args: readonly Argument[];

  constructor(helper: Helper, ...args: readonly Argument[]) {
    this.helper = helper;
    this.args = args;
  }

  /** Whether files import the helper by its name: wrappers, and those of features. The helpers of types, among them that of lists, are `field.<helper>`. */
  get isNamed(): boolean {
    return this.wrapped !== undefined || Object.hasOwn(namedHelpers, this.helper);
  }

  /** The call that this one wraps. */
  get wrapped(): Call | undefined {
    const [first] = this.args;
    return first instanceof Call && this.helper !== 'list' ? first : undefined;
  }

  result(): unknown {
    const args = this.args.map((argument) => (argument instanceof Call ? argument.result() : argument));
    return (helpers[this.helper] as (...all: unknown[]) => unknown)(...args);
  }
}
