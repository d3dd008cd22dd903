import { binary, type Code, call, code, textCode } from './code.ts';
import type { Operand } from './operand.ts';
import { decimalOf, double, int, isNumeric, type Type } from './types.ts';

/** The digits behind the point of an operand as a decimal; undefined if it is none and cannot become one. */
export function scaleOf({ type, literal }: Operand): number | undefined {
  if (type.is === 'decimal') return type.scale;
  if (type.is === 'int') return 0;
  if (type.is !== 'double' || literal === undefined || !/^-?\d+\.\d+$/.test(literal)) return undefined;
  return literal.length - literal.indexOf('.') - 1;
}

/** The type of the sum of two numbers; undefined if they do not go together. */
export function commonNumber(a: Operand, b: Operand): Type | undefined {
  if (![a, b].every(({ type }) => isNumeric(type))) return undefined;
  if (a.type.is === 'decimal' || b.type.is === 'decimal') {
    const scales = [scaleOf(a), scaleOf(b)].filter((scale) => scale !== undefined);
    return scales.length === 2 ? decimalOf(Math.max(...scales)) : undefined;
  }
  return a.type.is === 'double' || b.type.is === 'double' ? double : int;
}

/** A number as a decimal; null stays null. */
export function asDecimal({ type, literal, canBeNull, code: made }: Operand): Code {
  if (type.is === 'decimal') return made;
  if (literal !== undefined) return textCode(literal);
  const text = call('String', made);
  return canBeNull ? { test: binary(made, '===', code('null')), yes: code('null'), no: text } : text;
}

/** A number as a value of a type that `commonNumber` has found for it. */
export const asNumber = (value: Operand, { is }: Type): Code => (is === 'decimal' ? asDecimal(value) : value.code);
