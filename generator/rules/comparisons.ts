import { nearName } from '../check/hints.ts';
import { oneOfWords, quoted } from '../read/words.ts';
import type { Checker } from './checking.ts';
import { binary, call, type Code, code, negated, type Operator } from './code.ts';
import { factOf, type Facts, type Operand, operand, partOf } from './operand.ts';
import { asDecimal, commonNumber } from './numbers.ts';
import type { Node } from './parse.ts';
import { bool, isNumeric, nounOf } from './types.ts';

type Comparison = Node & { op: '==' | '!=' | '<' | '<=' | '>' | '>=' };

/** `==` and `!=`, also with values that may be null. */
export function checkEquality(checker: Checker, node: Comparison, facts: Facts): Operand | undefined {
  if (isChain(checker, node)) return undefined;
  const [left, right] = node.args.map((part) => checker.check(part, facts));
  if (!left || !right) return undefined;
  const isEqual = node.op === '==';
  const result = (made: Code, ifEqual: Facts, ifNot: Facts): Operand =>
    operand(node, bool, isEqual ? made : negated(made), {
      ifTrue: isEqual ? ifEqual : ifNot,
      ifFalse: isEqual ? ifNot : ifEqual,
    });
  const [value, other] = left.type.is === 'null' ? [right, left] : [left, right];
  if (other.type.is === 'null') {
    if (!value.canBeNull) warnOfNull(checker, node, value);
    return result(binary(value.code, '===', other.code), factOf(value.name, 'null'), factOf(value.name, 'value'));
  }
  if (!areComparable(checker, left, right)) return undefined;
  const isDecimal = commonNumber(left, right)?.is === 'decimal';
  const made = isDecimal
    ? call('decimal.equals', asDecimal(left), asDecimal(right))
    : binary(left.code, '===', right.code);
  // A value that is equal to one that is not null is not null either.
  const [nullable, sure] = left.canBeNull ? [left, right] : [right, left];
  return result(made, sure.canBeNull ? new Map() : factOf(nullable.name, 'value'), new Map());
}

function warnOfNull(checker: Checker, node: Comparison, value: Operand): void {
  const outcome = node.op === '==' ? 'false' : 'true';
  checker.warn(node, `${partOf(value, 'the value')} is never null here, so this is always ${outcome}`);
}

/** `<`, `<=`, `>` and `>=`. */
export function checkOrder(checker: Checker, node: Comparison, facts: Facts): Operand | undefined {
  if (isChain(checker, node)) return undefined;
  const pair = checker.pair(node.args, facts);
  if (!pair) return undefined;
  const [left, right] = pair;
  if (!areComparable(checker, left, right)) return undefined;
  const { type } = left;
  const why = [left, right].flatMap((side) => (side.type.is === 'string' ? (side.type.unordered ?? []) : []))[0];
  if (why !== undefined) return checker.refuse(node, `${why}; compare by == and !=, or in`);
  if (type.is === 'bool') return checker.refuse(node, 'true and false have no order');
  const operator = node.op as Operator;
  if (commonNumber(left, right)?.is === 'decimal') {
    return operand(node, bool, binary(call('decimal.compare', asDecimal(left), asDecimal(right)), operator, code(0)));
  }
  if (type.is === 'string') {
    return operand(node, bool, binary(call('compareText', left.code, right.code), operator, code(0)));
  }
  return operand(node, bool, binary(left.code, operator, right.code));
}

/** `x in ["a", "b"]`, and `"a" in tags`. */
export function checkIn(checker: Checker, node: Node & { op: 'in' }, facts: Facts): Operand | undefined {
  const [valueNode, listNode] = node.args;
  const value = checker.check(valueNode, facts);
  const list = listNode.op === 'list' ? itemsOf(checker, listNode, value, facts) : checker.value(listNode, facts);
  if (!value || !list) return undefined;
  if (list.type.is !== 'list') {
    const hint = list.type.is === 'string' ? `; write ${partOf(list, 'text')}.contains(…)` : '';
    return checker.refuse(list.node, `${partOf(list, 'this')} is ${nounOf(list.type)}, and in needs a list${hint}`);
  }
  const item = operand(valueNode, list.type.of, code(''));
  const label = `a value of ${partOf(list, 'the list')}`;
  if (listNode.op !== 'list' && !areComparable(checker, value, item, label)) return undefined;
  const includes = { on: list.code, member: 'includes', args: [value.code] };
  return operand(node, bool, includes, { ifTrue: factOf(value.name, 'value') });
}

/** The values of a list that the expression writes. */
function itemsOf(
  checker: Checker,
  node: Node & { op: 'list' },
  value: Operand | undefined,
  facts: Facts,
): Operand | undefined {
  const items = node.args.map((item) => checker.value(item, facts)).filter((item) => item !== undefined);
  if (!value || items.length < node.args.length) return undefined;
  if (items.length === 0) return checker.refuse(node, 'the list is empty, so nothing is in it');
  if (!items.every((item) => areComparable(checker, value, item))) return undefined;
  if (items.some((item) => commonNumber(value, item)?.is === 'decimal')) {
    return checker.refuse(node, 'a decimal is compared by ==, not by in');
  }
  return operand(node, { is: 'list', of: value.type }, { items: items.map((item) => item.code) });
}

/** Whether a comparison follows another one without brackets: CEL would compare its result. */
function isChain(checker: Checker, node: Comparison): boolean {
  const [left, right] = node.args;
  const between = node.input.slice(left.end, right.start);
  const isComparison = [left, right].some(({ op }) => /^(?:[<>]=?|[!=]=)$/.test(op));
  if (!isComparison || /[()]/.test(between)) return false;
  checker.refuse(node, 'comparisons do not follow each other; write a < b && b < c, or brackets');
  return true;
}

/** Reports two values that cannot be compared. */
function areComparable(checker: Checker, left: Operand, right: Operand, label = partOf(right, 'the value')): boolean {
  if (left.type.is === 'string' && right.type.is === 'string') return haveCommonValue(checker, left, right);
  const isSame = left.type.is === right.type.is && left.type.is !== 'list' && left.type.is !== 'record';
  if ([left, right].some(({ type }) => type.is === 'json')) {
    checker.refuse(right.node, 'a JSON object or array can only be compared with null');
    return false;
  }
  if (isSame || commonNumber(left, right)) return true;
  const words = `${partOf(left, 'the value')} is ${nounOf(left.type)}, and ${label} is ${nounOf(right.type)}`;
  checker.refuse(right.node, words + mixHint(left, right));
  return false;
}

/** Reports a text that is no value of an enum. */
function haveCommonValue(checker: Checker, left: Operand, right: Operand): boolean {
  const [leftValues, rightValues] = [left, right].map(({ type }) => (type.is === 'string' ? type.values : undefined));
  if (!leftValues || !rightValues || leftValues.some((value) => rightValues.includes(value))) return true;
  const [literal, field] = left.literal === undefined ? [right, left] : [left, right];
  const values = field === left ? leftValues : rightValues;
  if (literal.literal === undefined || field.literal !== undefined) {
    checker.refuse(right.node, `${partOf(left, 'this')} and ${partOf(right, 'this')} have no value in common`);
    return false;
  }
  const hint = nearName(literal.literal, values) || `; it can be ${oneOfWords(values)}`;
  checker.refuse(literal.node, `${partOf(field, 'the value')} is never ${quoted(literal.literal)}${hint}`);
  return false;
}

/** How to compare values of two types. */
function mixHint(left: Operand, right: Operand): string {
  const types = new Set([left.type.is, right.type.is]);
  const literal = [left, right].find((side) => side.literal !== undefined && side.type.is === 'string');
  const has = (...names: readonly string[]): boolean => names.every((name) => types.has(name as never));
  if (literal && has('date')) return `; write date(${quoted(literal.literal)})`;
  if (literal && has('timestamp')) return `; write timestamp(${quoted(literal.literal)})`;
  if (literal && [left, right].some(({ type }) => isNumeric(type))) return '; write the number without quotes';
  if (literal && has('bool')) return '; write true or false without quotes';
  if (has('date', 'timestamp')) {
    const moment = left.type.is === 'timestamp' ? left : right;
    if (partOf(moment, '') === 'now()') return '; write today()';
    return `; write date(${partOf(moment, '…')}) for its day`;
  }
  if (has('decimal', 'double')) return '; a decimal is exact and a number is not: make both fields decimals';
  if (has('duration'))
    return '; a duration is written duration("30m") or duration("7d"), and days(from, to) is a number';
  if (types.has('record')) return '; compare one of its fields, or its id, which is the value of the reference';
  if (types.has('list')) return '; the values of a list are compared by in, all or exists';
  return '; they cannot be compared';
}
