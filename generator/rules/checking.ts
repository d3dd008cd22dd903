import type { Total } from '../../runtime/rules/logic.ts';
import type { Diagnostic } from '../read/diagnostic.ts';
import type { Facts, Operand } from './operand.ts';
import type { Node, Span } from './parse.ts';
import type { Type } from './types.ts';

/** A value that an expression can name. */
export interface Variable {
  readonly type: Type;
  readonly canBeNull: boolean;
  readonly isComputed?: boolean;
  /** The resource whose records it names. */
  readonly references?: string;
}

/** Line items whose totals an expression can name. */
interface ItemFields {
  readonly table: string;
  readonly fields: ReadonlyMap<string, Variable>;
  readonly declared: Scope['declared'];
}

/** The names that an expression can use. */
export interface Scope {
  readonly fields: ReadonlyMap<string, Variable>;
  /** The names of all fields that are declared: one with errors of its own is not missing. */
  readonly declared?: ReadonlySet<string>;
  /** By the name that a parent shows them under; undefined where no totals can be named. */
  readonly items?: ReadonlyMap<string, ItemFields>;
  /** The resources of the line items, by the same names. */
  readonly itemKeys?: ReadonlyMap<string, string>;
  /** The names that line items could have whose files cannot be read. */
  readonly unreadItems?: ReadonlySet<string>;
  readonly timeZone: string;
  /** Whether the result must stay true as time goes by. */
  readonly isTimeless?: boolean;
}

export type Report = (span: Span, message: string, severity?: Diagnostic['severity']) => void;

/** The value of the lists' loop that a part of an expression is in. */
export interface Loop {
  readonly name: string;
  readonly type: Type;
}

/** Checks the parts of an expression. Each function that does returns undefined once it has reported a fault. */
export interface Checker {
  readonly scope: Scope;
  readonly totals: Map<string, Total>;
  readonly loop: Loop | undefined;
  /** The checker of the parts of a loop. */
  inLoop(loop: Loop): Checker;
  /** Reports a fault of a part. @returns undefined, for the caller to return */
  refuse(at: Node | Span, message: string): undefined;
  warn(at: Node, message: string): void;
  check(node: Node, facts: Facts): Operand | undefined;
  /** Checks two operands, of which none may be null. */
  pair(nodes: readonly [Node, Node], facts: Facts): readonly [Operand, Operand] | undefined;
  /** Checks a part that may not be null. */
  value(node: Node, facts: Facts): Operand | undefined;
  /** Checks a part that is true or false. */
  condition(node: Node, facts: Facts): Operand | undefined;
}
