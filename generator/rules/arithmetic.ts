import type { Checker } from './checking.ts';
import { binary, call, type Code, code, type Operator, textCode } from './code.ts';
import { type Facts, type Operand, operand, partOf } from './operand.ts';
import { asDecimal, asNumber, commonNumber, scaleOf } from './numbers.ts';
import type { Node } from './parse.ts';
import { decimalOf, double, duration, isNumeric, nounOf, string, type Type } from './types.ts';

type Operation = Node & { op: '+' | '-' | '*' | '/' | '%' };

/** `+`, `-`, `*`, `/` and `%`. */
export function checkArithmetic(checker: Checker, node: Operation, facts: Facts): Operand | undefined {
  const pair = checker.pair(node.args, facts);
  if (!pair) return undefined;
  const [left, right] = pair;
  if ([left, right].every(({ type }) => isNumeric(type))) return numbers(checker, node, left, right);
  if (node.op === '+' && left.type.is === 'string' && right.type.is === 'string') {
    return operand(node, string, binary(left.code, '+', right.code));
  }
  return times(checker, node, left, right);
}

function refusePair(checker: Checker, node: Operation, left: Operand, right: Operand): undefined {
  const words = [left, right].map((side) => `${partOf(side, 'the value')} is ${nounOf(side.type)}`);
  const has = (...names: readonly Type['is'][]): boolean => [left, right].some(({ type }) => names.includes(type.is));
  let hint = '';
  if (has('string') && node.op === '+') hint = '; only texts are put together';
  if (has('date', 'timestamp') && has('int', 'double', 'string')) {
    hint = '; a length of time is written duration("30m"), or duration("1d") * count';
  }
  if (has('date') && has('timestamp')) hint = '; days(from, to) counts the days between them';
  if (has('duration') && (node.op === '*' || node.op === '/')) {
    hint = '; a duration is multiplied by an integer, and divided by a duration';
  }
  return checker.refuse(node, `${words.join(', and ')}: ${node.op} does not take them${hint}`);
}

const decimalFunctions: { readonly [operator in Operation['op']]?: string } = {
  '+': 'decimal.add',
  '-': 'decimal.subtract',
  '*': 'decimal.multiply',
};

function numbers(checker: Checker, node: Operation, left: Operand, right: Operand): Operand | undefined {
  const type = commonNumber(left, right);
  if (!type) return refuseMix(checker, node);
  if ((node.op === '/' || node.op === '%') && Number(right.literal) === 0) {
    return checker.refuse(right.node, 'this divides by zero');
  }
  if (node.op === '%' && type.is !== 'int') {
    const other = partOf(left.type.is === 'int' ? right : left, 'one');
    return checker.refuse(node, `% is for integers, and ${other} is none`);
  }
  if (type.is === 'decimal') return decimals(checker, node, left, right);
  return operand(node, type, arithmeticCode(node.op, type, left.code, right.code));
}

export const refuseMix = (checker: Checker, node: Node): undefined =>
  checker.refuse(node, 'a decimal is exact and a number is not, so they do not go together: make both decimals');

function arithmeticCode(op: Operation['op'], { is }: Type, left: Code, right: Code): Code {
  if (op === '%') return call('remainder', left, right);
  if (is === 'int') return op === '/' ? call('quotient', left, right) : call('integer', binary(left, op, right));
  return op === '/' ? call('finite', binary(left, op, right)) : binary(left, op as Operator, right);
}

function decimals(checker: Checker, node: Operation, left: Operand, right: Operand): Operand | undefined {
  const name = decimalFunctions[node.op];
  if (name === undefined) {
    return checker.refuse(node, 'a quotient of decimals has no exact value; write round(a / b, 2)');
  }
  const [a = 0, b = 0] = [scaleOf(left), scaleOf(right)];
  const type = decimalOf(node.op === '*' ? a + b : Math.max(a, b));
  return operand(node, type, call(name, asDecimal(left), asDecimal(right)));
}

/** Sums and differences of times, days and durations, and how often one duration is in another. */
function times(checker: Checker, node: Operation, left: Operand, right: Operand): Operand | undefined {
  const operation = `${left.type.is} ${node.op} ${right.type.is}`;
  if (/^(date|timestamp) - \1$/.test(operation)) {
    const isWholeDays = left.type.is === 'date';
    return operand(node, duration, call('between', right.code, left.code), { isWholeDays });
  }
  if (/^duration [+-] duration$/.test(operation)) {
    const isWholeDays = left.isWholeDays && right.isWholeDays;
    return operand(node, duration, binary(left.code, node.op as Operator, right.code), { isWholeDays });
  }
  if (operation === 'duration / duration') {
    if (Number(right.literal) === 0) return checker.refuse(right.node, 'this divides by zero');
    return operand(node, double, call('finite', binary(left.code, '/', right.code)));
  }
  if (/^(?:duration \* int|int \* duration)$/.test(operation)) {
    const { isWholeDays } = left.type.is === 'duration' ? left : right;
    return operand(node, duration, call('integer', binary(left.code, '*', right.code)), { isWholeDays });
  }
  if (/^(?:date|timestamp) [+-] duration$/.test(operation)) return moved(checker, node, left, right);
  if (/^duration \+ (?:date|timestamp)$/.test(operation)) return moved(checker, node, right, left);
  return refusePair(checker, node, left, right);
}

function moved(checker: Checker, node: Operation, time: Operand, by: Operand): Operand | undefined {
  if (time.type.is === 'date' && !by.isWholeDays) {
    return checker.refuse(by.node, 'a date is moved by whole days, as in duration("7d") or duration("1d") * count');
  }
  const length = node.op === '-' ? opposite(by) : by.code;
  return operand(node, time.type, call('moved', time.code, length));
}

const opposite = ({ code: made }: Operand): Code => ('negative' in made ? made.negative : { negative: made });

/** `-x` */
export function negative(checker: Checker, node: Node & { op: '-_' }, facts: Facts): Operand | undefined {
  const value = checker.value(node.args, facts);
  if (!value) return undefined;
  const { type, literal, isWholeDays } = value;
  if (!isNumeric(type) && type.is !== 'duration') {
    return checker.refuse(node, `${partOf(value, 'the value')} is ${nounOf(type)}, and has no negative`);
  }
  if (literal !== undefined && type.is !== 'duration') {
    const opposed = literal.startsWith('-') ? literal.slice(1) : /[1-9]/.test(literal) ? `-${literal}` : literal;
    return operand(node, type, code(Number(opposed)), { literal: opposed });
  }
  if (type.is === 'decimal') return operand(node, type, call('decimal.subtract', textCode('0'), asNumber(value, type)));
  return operand(node, type, opposite(value), { isWholeDays });
}
