import type { Code } from './code.ts';
import type { Node, Span } from './parse.ts';
import type { Type } from './types.ts';

/** Facts about the values that may be null, at a place of an expression: whether they are. */
export type Facts = ReadonlyMap<string, 'null' | 'value'>;

export const nothing: Facts = new Map();

/** A fact about a name; none if there is no name. */
export const factOf = (name: string | undefined, value: 'null' | 'value'): Facts =>
  name === undefined ? nothing : new Map([[name, value]]);

/** The facts if both conditions hold, one after the other. */
export const both = (first: Facts, second: Facts): Facts => new Map([...first, ...second]);

/** The facts if one of the conditions holds, no matter which. */
export const either = (first: Facts, second: Facts): Facts =>
  new Map([...first].filter(([name, fact]) => second.get(name) === fact));

/** A checked part of an expression. */
export interface Operand {
  readonly node: Node;
  readonly type: Type;
  readonly canBeNull: boolean;
  readonly code: Code;
  /** The name under which it is known whether it is null. */
  readonly name?: string;
  /** The value of a literal; a number in plain notation, a duration in milliseconds. */
  readonly literal?: string;
  /** It is a duration of whole days. */
  readonly isWholeDays?: boolean | undefined;
  /** The facts if it is true, and if it is false. */
  readonly ifTrue: Facts;
  readonly ifFalse: Facts;
}

export const operand = (node: Node, type: Type, code: Code, more: Partial<Operand> = {}): Operand => ({
  node,
  type,
  canBeNull: false,
  code,
  ifTrue: nothing,
  ifFalse: nothing,
  ...more,
});

export const spanOf = ({ start, end }: Node): Span => [start, end];

/** The longest part of an expression that a message repeats. */
const longestPart = 40;

/** An operand as the expression writes it; its type if that is long. */
export const partOf = ({ node }: Operand, noun: string): string => {
  const written = node.input.slice(node.start, node.end).replaceAll(/\s+/g, ' ');
  // The place of an operation begins behind a bracket around its first part.
  const isWhole = written.split('(').length === written.split(')').length;
  return written.length > longestPart || !isWhole ? noun : written;
};
