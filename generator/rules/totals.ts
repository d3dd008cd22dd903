import type { Total } from '../../runtime/rules/logic.ts';
import { nearName } from '../check/hints.ts';
import { quoted } from '../read/words.ts';
import type { Checker, Scope, Variable } from './checking.ts';
import { type Operand, operand } from './operand.ts';
import { type Node, parseExpression } from './parse.ts';
import { int, isNumeric, nounOf, type Type } from './types.ts';

type Call = Node & { op: 'call' };

const kinds: ReadonlySet<string> = new Set<Total['of']>(['sum', 'count', 'min', 'max']);

export const isTotal = (name: string): name is Total['of'] => kinds.has(name);

/** Whether an expression is made of sums, counts and literals, and so is never null. */
export function isMadeOfTotals(text: string): boolean {
  const isSure = (node: Node): boolean => {
    if (node.op === 'value') return node.args !== null;
    if (node.op === '-_') return isSure(node.args);
    if (node.op === 'call') {
      const [name, args] = node.args;
      return name === 'sum' || name === 'count' || (name === 'round' && args.every(isSure));
    }
    return /^[-+*/%]$/.test(node.op) && (node.args as readonly Node[]).every(isSure);
  };
  const node = parseExpression(text);
  return 'op' in node && isSure(node);
}

/** `count(items)`, `sum(items.amount)`, `min` and `max`. */
export function checkTotal(checker: Checker, node: Call): Operand | undefined {
  const [of, [argument, ...others]] = node.args as [Total['of'], Node[]];
  const { items: known } = checker.scope;
  if (!known) {
    return checker.refuse(node, `${of} is for computed fields: compute a field, and write the rule about that`);
  }
  const itemsNode = of === 'count' ? argument : argument?.op === '.' ? argument.args[0] : undefined;
  if (itemsNode?.op !== 'id' || others.length > 0) {
    return checker.refuse(node, `${of} is of line items; write ${totalForm(node, of, known)}`);
  }
  const items = known.get(itemsNode.args);
  if (!items) {
    if (checker.scope.unreadItems?.has(itemsNode.args)) return undefined;
    const names = [...known.keys()];
    const hint = nearName(itemsNode.args, names) || (names.length > 0 ? `; there are ${names.join(', ')}` : '');
    return checker.refuse(itemsNode, `there are no line items ${quoted(itemsNode.args)}${hint}`);
  }
  if (argument?.op !== '.') return total(checker, node, int, { items: items.table, of });
  const name = argument.args[1];
  const field = items.fields.get(name);
  if (!field) {
    if (items.declared?.has(name)) return undefined;
    const hint = nearName(name, [...items.fields.keys()]);
    return checker.refuse(argument, `the ${itemsNode.args} have no field ${quoted(name)}${hint}`);
  }
  const why = whyNot(of, field);
  if (why !== undefined) return checker.refuse(argument, `${name} is ${nounOf(field.type)}, and ${why}`);
  return total(checker, node, field.type, { items: items.table, of, field: name });
}

/** A total of that kind as it is written, with the names that it has by mistake. */
function totalForm({ input, start, end }: Call, of: Total['of'], known: NonNullable<Scope['items']>): string {
  const written = input.slice(start, end).replaceAll('-', '_');
  const name = [...known.keys()].find((one, _, all) => written.includes(one) || all.length === 1) ?? 'items';
  if (of === 'count') return `count(${name})`;
  const fields = [...(known.get(name)?.fields ?? [])];
  const usable = fields.flatMap(([field, variable]) => (whyNot(of, variable) === undefined ? [field] : []));
  return `${of}(${name}.${usable.find((field) => written.includes(field)) ?? usable[0] ?? 'amount'})`;
}

/** Why a field has no total, to follow its type. */
function whyNot(of: Total['of'], { type }: Variable): string | undefined {
  if (of === 'sum') {
    if (type.is === 'double') return 'its sum depends on the order of the items: make it a decimal';
    return isNumeric(type) ? undefined : 'only integers and decimals are added up';
  }
  if (type.is === 'string') return type.unordered && `has no ${of}: ${type.unordered}`;
  return type.is === 'bool' || type.is === 'list' ? `has no ${of}` : undefined;
}

function total(checker: Checker, node: Call, type: Type, made: Total): Operand {
  const name = node.input.slice(node.start, node.end).replaceAll(/\s+/g, '');
  checker.totals.set(name, made);
  // No items have no smallest and no largest one.
  return operand(node, type, { total: name }, { canBeNull: made.of === 'min' || made.of === 'max', name });
}
