import type { Code } from './code.ts';
import { type Facts, nothing } from './facts.ts';
import type { Node, Span } from './parse.ts';
import type { Type } from './types.ts';

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
