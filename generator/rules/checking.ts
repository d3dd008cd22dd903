import type { Total } from '../../runtime/features/rules/expressions/logic.ts';
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

/** Line items, or records that reference one, whose totals an expression can name. */
export interface RowFields {
  /** Their resource. */
  readonly key: string;
  readonly table: string;
  /** Their reference to the record; none of line items. */
  readonly by?: string;
  /** Whether that names records of other resources, too: there are no totals. */
  readonly isOfSeveral?: boolean;
  readonly fields: ReadonlyMap<string, Variable>;
  readonly declared: Scope['declared'];
}

/** A record that a reference names: rules read its fields. */
export interface ReferencedFields {
  /** The reference. */
  readonly field: string;
  /** The resource of the record. */
  readonly key: string;
  /** Whether it may be of another one: no rule reads it. */
  readonly isOfSeveral: boolean;
  /** Undefined if its file has no fields, or cannot be read. */
  readonly fields: ReadonlyMap<string, Variable> | undefined;
  readonly declared: Scope['declared'];
}

/** The names that an expression can use. */
export interface Scope {
  readonly fields: ReadonlyMap<string, Variable>;
  /** The names of all fields that are declared: one with errors of its own is not missing. */
  readonly declared?: ReadonlySet<string>;
  /** By the name that a record shows them under; undefined where no totals can be named. */
  readonly items?: ReadonlyMap<string, RowFields>;
  /** Their resources, by the same names. */
  readonly itemKeys?: ReadonlyMap<string, string>;
  /** The names that line items could have whose files cannot be read. */
  readonly unreadItems?: ReadonlySet<string>;
  /** By the name under which `expand` shows the record. */
  readonly references?: ReadonlyMap<string, ReferencedFields>;
  /** The name before each field, in a condition on these rows. */
  readonly rows?: string;
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
  /** The checker of a condition on rows. */
  ofRows(name: string, rows: RowFields): Checker;
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
