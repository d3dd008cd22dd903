import * as fields from '../../runtime/model/fields.ts';
import type { Format } from '../../runtime/model/formats.ts';

/** The name of a function for `date-time`: `dateTime`. */
type CamelCase<T extends string> = T extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Tail>}` : T;

/** The runtime's field helpers. A new format does not compile until it has one. */
const helpers: typeof fields & Readonly<Record<CamelCase<Format>, () => unknown>> = fields;

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

  /** The call that this one wraps. Files import wrappers by name; the helpers of types, among them that of lists, are `field.<helper>`. */
  get wrapped(): Call | undefined {
    const [first] = this.args;
    return first instanceof Call && this.helper !== 'list' ? first : undefined;
  }

  result(): unknown {
    const args = this.args.map((argument) => (argument instanceof Call ? argument.result() : argument));
    return (helpers[this.helper] as (...all: unknown[]) => unknown)(...args);
  }
}
