import { maxDigits } from '../../runtime/kernel/model/decimals.ts';
import { formatRule, toTimestamp } from '../../runtime/kernel/model/formats.ts';
import { day, hour, minute, second } from '../../runtime/kernel/values/time.ts';
import { nearName } from '../check/hints.ts';
import { faultOfPattern } from '../model/pattern.ts';
import { quoted } from '../read/words.ts';
import { refuseMix } from './arithmetic.ts';
import type { Checker } from './checking.ts';
import { binary, call, type Code, code, textCode } from './code.ts';
import { type Facts, type Operand, operand, partOf } from './operand.ts';
import { loopNames } from './loops.ts';
import { asDecimal, commonNumber, scaleOf } from './numbers.ts';
import type { Node } from './parse.ts';
import { checkTotal, isTotal, totalNames } from './totals.ts';
import { bool, date, decimalOf, duration, int, nounOf, timestamp, type Type } from './types.ts';

type Call = Node & { op: 'call' | 'rcall' };

/** A call with its arguments; that of a method has its value as the first one. */
interface Invocation {
  readonly checker: Checker;
  readonly node: Call;
  readonly name: string;
  readonly args: readonly Node[];
  readonly facts: Facts;
}

type Check = (invocation: Invocation) => Operand | undefined;

/** The functions, by name, with the number of their arguments. */
const functions: Readonly<Record<string, readonly [count: number, check: Check]>> = {
  now: [0, (invocation) => ofTime(invocation, timestamp, code('time'))],
  today: [0, (invocation) => ofTime(invocation, date, dayOf(invocation, code('time')))],
  date: [1, checkDate],
  timestamp: [1, checkTimestamp],
  duration: [1, checkDuration],
  days: [2, checkDays],
  size: [1, checkSize],
  round: [2, checkRound],
};

/** The methods of texts, by name. */
const methods: Readonly<Record<string, readonly [count: number, check: Check]>> = {
  size: [1, checkSize],
  startsWith: [2, (invocation) => checkText(invocation, 'startsWith')],
  endsWith: [2, (invocation) => checkText(invocation, 'endsWith')],
  contains: [2, checkContains],
  matches: [2, checkMatches],
};

/** A call of a function. */
export function checkFunction(checker: Checker, node: Node & { op: 'call' }, facts: Facts): Operand | undefined {
  const [name, args] = node.args;
  if (isTotal(name)) return checkTotal(checker, node);
  return checkCall(functions, { checker, node, name, args, facts });
}

/** A call of a method. */
export function checkMethod(checker: Checker, node: Node & { op: 'rcall' }, facts: Facts): Operand | undefined {
  const [name, value, args] = node.args;
  const [owner, member] = value.op === '.' ? value.args : [value];
  if (owner.op === 'id' && checker.scope.items?.has(owner.args)) {
    const items = owner.args;
    if (name === 'count' || name === 'size') return checker.refuse(node, `write count(${items})`);
    const field = member ?? (args[0]?.op === 'id' ? args[0].args : '…');
    if (isTotal(name)) return checker.refuse(node, `write ${name}(${items}.${field})`);
    return checker.refuse(node, `a rule about one of the ${items} belongs to the file of their resource`);
  }
  return checkCall(methods, { checker, node, name, args: [value, ...args], facts });
}

/** The words to write in place of functions that there are not. */
const instead: Readonly<Record<string, string>> = {
  has: 'x != null',
  len: 'size(x)',
  length: 'size(x)',
  includes: 'x.contains("…"), or "…" in x for a list',
  filter: 'all, exists or exists_one',
  map: 'all, exists or exists_one',
  abs: 'x < 0 ? -x : x',
  int: 'the number itself',
  double: 'the number itself',
  string: 'the text itself',
  daysbetween: 'days(from, to)',
  datediff: 'days(from, to)',
  diff: 'days(from, to)',
  avg: 'a sum divided by a count that is not 0',
  average: 'a sum divided by a count that is not 0',
  exists: 'count(x) > 0 of line items or an inverse, and tags.exists(tag, …) of a list',
  if: 'x ? a : b',
  not: '!x',
};

function checkCall(table: typeof functions, invocation: Invocation): Operand | undefined {
  const { checker, node, name, args } = invocation;
  const row = Object.hasOwn(table, name) ? table[name] : undefined;
  if (row) {
    const [count, check] = row;
    if (args.length === count) return check(invocation);
    const receivers = table === methods ? 1 : 0;
    return checker.refuse(
      node,
      `${name} takes ${count - receivers || 'no'} argument${count - receivers === 1 ? '' : 's'}`,
    );
  }
  const isMethod = table === methods;
  if (Object.hasOwn(isMethod ? functions : methods, name)) {
    return checker.refuse(node, `write ${isMethod ? `${name}(…)` : `x.${name}(…)`}`);
  }
  const ofRecords = checker.scope.items ? [...Object.keys(functions), ...totalNames] : Object.keys(functions);
  const names = isMethod ? [...Object.keys(methods), ...loopNames] : ofRecords;
  const other = instead[name.toLowerCase()];
  const hint = other === undefined ? nearName(name, names) || `; there are ${names.join(', ')}` : `; write ${other}`;
  return checker.refuse(node, `there is no function ${quoted(name)}${hint}`);
}

/** The value of an argument that must be a text in quotes. */
function textOf({ checker }: Invocation, node: Node, purpose: string): string | undefined {
  if (node.op === 'value' && typeof node.args === 'string') return node.args;
  return checker.refuse(node, `${purpose} in quotes`);
}

const dayOf = ({ checker }: Invocation, time: Code): Code => call('dayIn', textCode(checker.scope.timeZone), time);

function ofTime({ checker, node, name }: Invocation, type: Type, made: Code): Operand | undefined {
  if (!checker.scope.isTimeless) return operand(node, type, made);
  return checker.refuse(node, `${name}() changes as time goes by, and a computed value would not; use it in a rule`);
}

function checkDate(invocation: Invocation): Operand | undefined {
  const { checker, node, args, facts } = invocation;
  const [argument] = args as [Node];
  const value = checker.value(argument, facts);
  if (!value) return undefined;
  if (value.type.is === 'timestamp') return operand(node, date, dayOf(invocation, value.code));
  const text = textOf(invocation, argument, 'date takes a date-time, or a date');
  if (text === undefined) return undefined;
  if (formatRule('date').accepts(text)) return operand(node, date, textCode(text));
  return checker.refuse(argument, `${quoted(text)} must be ${formatRule('date').words}`);
}

function checkTimestamp(invocation: Invocation): Operand | undefined {
  const { checker, node, args } = invocation;
  const [argument] = args as [Node];
  const text = textOf(invocation, argument, 'timestamp takes a date and time');
  if (text === undefined) return undefined;
  const time = toTimestamp(text);
  if (time !== undefined) return operand(node, timestamp, textCode(time));
  return checker.refuse(argument, `${quoted(text)} must be ${formatRule('date-time').words}`);
}

/** Units of durations, in milliseconds; the names are those of the runtime's constants. */
const units = { d: day, h: hour, m: minute, s: second, ms: 1 };
const unitNames = { day, hour, minute, second };

function checkDuration(invocation: Invocation): Operand | undefined {
  const { checker, node, args } = invocation;
  const [argument] = args as [Node];
  const text = textOf(invocation, argument, 'duration takes a length of time, like 30m or 7d,');
  if (text === undefined) return undefined;
  const parts = [...text.matchAll(/(\d+)(d|h|ms|m|s)/g)];
  const length = parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units], 0);
  const isWhole = parts.map(([part]) => part).join('') === text;
  if (!isWhole || parts.length === 0 || length > Number.MAX_SAFE_INTEGER) {
    return checker.refuse(argument, `${quoted(text)} must be a duration: numbers with d, h, m, s or ms, like "1h30m"`);
  }
  return operand(node, duration, lengthCode(length), { literal: String(length), isWholeDays: length % day === 0 });
}

/** A number of milliseconds as people write it: `90 * minute`. */
function lengthCode(length: number): Code {
  const [name, unit] = Object.entries(unitNames).find(([, size]) => length > 0 && length % size === 0) ?? ['', 1];
  if (name === '') return code(length);
  return length === unit ? code(name) : binary(code(length / unit), '*', code(name));
}

/** `days(from, to)`: of date-times, those of their days. */
function checkDays(invocation: Invocation): Operand | undefined {
  const { checker, node, args, facts } = invocation;
  const ends = checker.pair(args as readonly [Node, Node], facts);
  const wrong = ends?.find(({ type }) => type.is !== 'date' && type.is !== 'timestamp');
  if (!ends || wrong) {
    const hint = wrong?.literal === undefined ? '' : `; write date(${quoted(wrong.literal)})`;
    const words =
      wrong && `${partOf(wrong, 'this')} is ${nounOf(wrong.type)}, and days counts from a date or date-time to`;
    return wrong && checker.refuse(wrong.node, `${words} another${hint}`);
  }
  const [from, to] = ends.map(({ type, code: made }) => (type.is === 'date' ? made : dayOf(invocation, made)));
  return operand(node, int, binary(call('between', from as Code, to as Code), '/', code('day')));
}

/** Refuses to read a text again for each value of a list. */
function isTooSlow({ checker, node, name }: Invocation, value: Operand): boolean {
  if (!checker.loop || value.name === checker.loop.name) return false;
  checker.refuse(node, `${name} in a loop is only of its value, ${checker.loop.name}; write it outside`);
  return true;
}

function checkSize(invocation: Invocation): Operand | undefined {
  const { checker, node, args, facts } = invocation;
  const value = checker.value(args[0] as Node, facts);
  if (!value) return undefined;
  if (value.type.is === 'list') return operand(node, int, { on: value.code, member: 'length' });
  if (value.type.is === 'string') {
    return isTooSlow(invocation, value) ? undefined : operand(node, int, call('size', value.code));
  }
  return checker.refuse(value.node, `${partOf(value, 'this')} is ${nounOf(value.type)}, and has no size`);
}

/** The value of a method of texts. */
function receiver({ checker, name, args, facts }: Invocation): Operand | undefined {
  const value = checker.value(args[0] as Node, facts);
  if (!value || value.type.is === 'string') return value;
  const hint = value.type.is === 'list' ? '; write "…" in tags, or tags.exists(tag, …)' : '';
  const words = `${partOf(value, 'this')} is ${nounOf(value.type)}, and ${name} is for texts${hint}`;
  return checker.refuse(value.node, words);
}

function checkText(invocation: Invocation, member: string): Operand | undefined {
  const { checker, node, args, facts } = invocation;
  const value = receiver(invocation);
  const part = checker.value(args[1] as Node, facts);
  if (!value || !part) return undefined;
  if (part.type.is === 'string') return operand(node, bool, { on: value.code, member, args: [part.code] });
  return checker.refuse(part.node, `${partOf(part, 'this')} is ${nounOf(part.type)}, and must be a text`);
}

function checkContains(invocation: Invocation): Operand | undefined {
  const value = receiver(invocation);
  // The search for a long text can take a time that grows with the product of the lengths.
  const part = textOf(invocation, invocation.args[1] as Node, 'contains searches for a text');
  if (!value || part === undefined || isTooSlow(invocation, value)) return undefined;
  return operand(invocation.node, bool, { on: value.code, member: 'includes', args: [textCode(part)] });
}

function checkMatches(invocation: Invocation): Operand | undefined {
  const { checker, node, args } = invocation;
  const value = receiver(invocation);
  const source = textOf(invocation, args[1] as Node, 'matches takes a regular expression');
  if (!value || source === undefined || isTooSlow(invocation, value)) return undefined;
  const fault = faultOfPattern(source);
  if (fault !== undefined) return checker.refuse(args[1] as Node, fault);
  return operand(node, bool, call('matches', value.code, textCode(source)));
}

/** `round(x, 2)`, also of a quotient, which has no exact value otherwise. */
function checkRound({ checker, node, args, facts }: Invocation): Operand | undefined {
  const [valueNode, digitsNode] = args as [Node, Node];
  const digits = digitsNode.op === 'value' ? Number(digitsNode.args) : NaN;
  if (!Number.isInteger(digits) || digits < 0 || digits > maxDigits) {
    return checker.refuse(digitsNode, `round takes a number of decimals from 0 to ${maxDigits}`);
  }
  const type = decimalOf(digits);
  if (valueNode.op === '/') {
    const [a, b] = checker.pair(valueNode.args, facts) ?? [];
    if (!a || !b) return undefined;
    const common = commonNumber(a, b);
    if (!common) return refuseMix(checker, valueNode);
    if (Number(b.literal) === 0) return checker.refuse(b.node, 'this divides by zero');
    if (common.is !== 'double')
      return operand(node, type, call('decimal.divide', asDecimal(a), asDecimal(b), code(digits)));
  }
  const value = checker.value(valueNode, facts);
  if (!value) return undefined;
  if (scaleOf(value) === undefined) {
    return checker.refuse(value.node, `${partOf(value, 'this')} is ${nounOf(value.type)}, and round is for decimals`);
  }
  return operand(node, type, call('decimal.round', asDecimal(value), code(digits)));
}
