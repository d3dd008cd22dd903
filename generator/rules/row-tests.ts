import { toTimestamp } from '../../runtime/kernel/model/formats.ts';
import { withScale } from '../../runtime/kernel/values/decimal.ts';
import type { RowTest, Total } from '../../runtime/features/rules/expressions/logic.ts';
import type { Checker, RowFields } from './checking.ts';
import type { Node } from './parse.ts';
import type { Type } from './types.ts';

type Tests = NonNullable<Total['when']>;
type Comparison = RowTest['is'];

/** The most groups of tests: each is a condition of the database. */
const maxGroups = 20;

const negations: Readonly<Record<Comparison, Comparison>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};

/** The comparison whose sides are the other way round. */
const flipped: Readonly<Record<Comparison, Comparison>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
};

const isComparison = (op: string): op is Comparison => Object.hasOwn(flipped, op);

/** The tests of a condition on rows, whose types have been checked. @param name that of the rows in the expression */
export function testsOf(checker: Checker, node: Node, name: string, rows: RowFields): Tests | undefined {
  const fieldIn = (part: Node): string | undefined =>
    part.op === '.' && part.args[0].op === 'id' && part.args[0].args === name ? part.args[1] : undefined;
  const refuse = (at: Node): undefined =>
    checker.refuse(
      at,
      `a condition of a total compares fields of the ${name} with values; compute a boolean field of ${rows.key}, and write ` +
        `${name}.<field> here`,
    );
  const test = (field: string, is: Comparison, value: RowTest['value'] | undefined): Tests | undefined =>
    value === undefined ? undefined : [[{ field, is, value }]];
  const valueFor = (field: string, part: Node): RowTest['value'] | undefined => {
    const type = rows.fields.get(field)?.type;
    const value = type && literalOf(part, type);
    if (value === undefined) return refuse(part);
    if (type?.is !== 'decimal' || typeof value !== 'string') return value;
    const [, digits = ''] = value.split('.');
    if (digits.length <= type.scale) return withScale(value, type.scale);
    return checker.refuse(part, `${field} has ${type.scale} decimals`);
  };
  const visit = (part: Node, isNegated: boolean): Tests | undefined => {
    const { op } = part;
    if (op === '!_') return visit(part.args, !isNegated);
    if (op === '&&' || op === '||') {
      const [left, right] = part.args.map((side) => visit(side, isNegated));
      if (!left || !right) return undefined;
      const all =
        (op === '&&') === isNegated ? [...left, ...right] : left.flatMap((a) => right.map((b) => [...a, ...b]));
      if (all.length <= maxGroups) return all;
      return checker.refuse(part, `this condition is too long for a total; compute a boolean field of ${rows.key}`);
    }
    const own = fieldIn(part);
    if (own !== undefined) return test(own, '==', !isNegated);
    if (isComparison(op)) {
      const [left, right] = part.args as [Node, Node];
      const [field, isFlipped] = [fieldIn(left) ?? fieldIn(right), fieldIn(left) === undefined];
      if (field === undefined) return refuse(part);
      const is = isFlipped ? flipped[op] : op;
      return test(field, isNegated ? negations[is] : is, valueFor(field, isFlipped ? left : right));
    }
    if (op === 'in' && part.args[1].op === 'list') {
      const field = fieldIn(part.args[0]);
      if (field === undefined) return refuse(part);
      const tests: RowTest[] = [];
      for (const item of part.args[1].args as readonly Node[]) {
        const value = valueFor(field, item);
        if (value === undefined) return undefined;
        tests.push({ field, is: isNegated ? '!=' : '==', value });
      }
      return isNegated ? [tests] : tests.map((one) => [one]);
    }
    return refuse(part);
  };
  return visit(node, false);
}

/** The value of a literal as a field of a type holds it; undefined for other parts. */
function literalOf(node: Node, { is }: Type): RowTest['value'] | undefined {
  const [name, args] = node.op === 'call' ? node.args : [];
  const text = args?.[0]?.op === 'value' ? String(args[0].args) : '';
  if (name === 'date') return text;
  if (name === 'timestamp') return toTimestamp(text);
  const isNegative = node.op === '-_';
  const literal = isNegative ? node.args : node;
  if (literal.op !== 'value') return undefined;
  const value: unknown = literal.args;
  const sign = isNegative ? '-' : '';
  if (is === 'decimal' && value !== null) return sign + literal.input.slice(literal.start, literal.end);
  if (typeof value === 'bigint' || typeof value === 'number') return Number(`${sign}${value}`);
  return value === null || typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
}
