import type { Code } from './code.ts';
import type { Node, Span } from './parse.ts';
import type { Type } from './types.ts';

/** Facts about the values that may be null, at a place of an expression: whether they are. */
export type Facts = ReadonlyMap<string, 'null' | 'value'>;

export const nothing: Facts = new Map();

export const known = (name: string | undefined, fact: 'null' | 'value'): Facts =>
  name === undefined ? nothing : new Map([[name, fact]]);

/** The facts if both conditions hold, one after the other. */
export const both = (first: Facts, second: Facts): Facts => new Map([...first, ...second]);

/** The facts if one of the conditions holds, no matter which. */
export const either = (one: Facts, other: Facts): Facts =>
  new Map([...one].filter(([name, fact]) => other.get(name) === fact));

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
  return written.length > longestPart ? noun : written;
};
