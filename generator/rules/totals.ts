import { type Total, totalName } from '../../runtime/features/rules/expressions/logic.ts';
import { nearName } from '../check/hints.ts';
import { quoted } from '../read/words.ts';
import type { Checker, RowFields, Scope, Variable } from './checking.ts';
import { nothing, type Operand, operand } from './operand.ts';
import { type Node, parseExpression } from './parse.ts';
import { testsOf } from './row-tests.ts';
import { int, isNumeric, nounOf, type Type } from './types.ts';

type Call = Node & { op: 'call' };

export const totalNames: readonly string[] = ['sum', 'count', 'min', 'max'] satisfies Total['of'][];

export const isTotal = (name: string): name is Total['of'] => totalNames.includes(name);

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

/** `count(items)`, `sum(items.amount)`, `min` and `max`, each also with a condition: `count(items, items.amount > 0)`. */
export function checkTotal(checker: Checker, node: Call): Operand | undefined {
  const [of, [argument, condition, ...moreArguments]] = node.args as [Total['of'], Node[]];
  const { items: itemsByName } = checker.scope;
  if (!itemsByName) {
    return checker.refuse(node, `${of} is for computed fields: compute a field, and write the rule about that`);
  }
  const itemsNode = of === 'count' ? argument : argument?.op === '.' ? argument.args[0] : undefined;
  if (argument && /^[+*]$/.test(argument.op)) {
    return checker.refuse(argument, `${of} is of one field: let the records compute it, and write ${of} of that`);
  }
  if (itemsNode?.op !== 'id' || moreArguments.length > 0) {
    return checker.refuse(node, `${of} is of line items, or of an inverse; write ${totalForm(node, of, itemsByName)}`);
  }
  const items = itemsByName.get(itemsNode.args);
  if (!items) {
    const { unreadItems, itemKeys } = checker.scope;
    if (unreadItems?.has(itemsNode.args) || itemKeys?.has(itemsNode.args)) return undefined;
    const names = [...itemsByName.keys()];
    const others = names.length > 0 ? `; there are ${names.join(', ')}` : '';
    const remedy = `; a reference to this resource gives it by inverse: ${itemsNode.args}`;
    const hint = nearName(itemsNode.args, names) || others + remedy;
    return checker.refuse(itemsNode, `there are no line items and no inverse ${quoted(itemsNode.args)}${hint}`);
  }
  if (items.isOfSeveral) {
    const words = `${items.by} of ${items.key} names records of several resources, and there are no totals over its inverse`;
    return checker.refuse(itemsNode, `${words}; a hook can keep one`);
  }
  const when = condition && conditionOf(checker, condition, itemsNode.args, items);
  if (condition && !when) return undefined;
  const made = { items: items.table, ...(items.by !== undefined && { by: items.by }), of };
  if (argument?.op !== '.') return total(checker, node, int, { ...made, ...(when && { when }) });
  const name = argument.args[1];
  const field = items.fields.get(name);
  if (!field) {
    if (items.declared?.has(name)) return undefined;
    const hint = nearName(name, [...items.fields.keys()]);
    return checker.refuse(argument, `the ${itemsNode.args} have no field ${quoted(name)}${hint}`);
  }
  const why = whyNot(of, field);
  if (why !== undefined) return checker.refuse(argument, `${name} is ${nounOf(field.type)}, and ${why}`);
  return total(checker, node, field.type, { ...made, field: name, ...(when && { when }) });
}

function conditionOf(checker: Checker, node: Node, name: string, rows: RowFields): Total['when'] {
  const ofRows = checker.ofRows(name, rows);
  return ofRows.condition(node, nothing) && testsOf(ofRows, node, name, rows);
}

/** A total of that kind as it is written, with the names that it has by mistake. */
function totalForm({ input, start, end }: Call, of: Total['of'], itemsByName: NonNullable<Scope['items']>): string {
  const written = input.slice(start, end).replaceAll('-', '_');
  const name =
    [...itemsByName.keys()].find((candidate, _, all) => written.includes(candidate) || all.length === 1) ?? 'items';
  if (of === 'count') return `count(${name})`;
  const fields = [...(itemsByName.get(name)?.fields ?? [])];
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
  return type.is === 'bool' || type.is === 'list' || type.is === 'json' ? `has no ${of}` : undefined;
}

function total(checker: Checker, node: Call, type: Type, made: Total): Operand {
  const name = totalName(node.input.slice(node.start, node.end));
  checker.totals.set(name, made);
  // No items have no smallest and no largest one.
  return operand(node, type, { total: name }, { canBeNull: made.of === 'min' || made.of === 'max', name });
}
