import type { Checker } from './checking.ts';
import { call, type Code } from './code.ts';
import { type Facts, type Operand, operand, partOf } from './operand.ts';
import type { Node } from './parse.ts';
import { bool, nounOf } from './types.ts';

type Call = Node & { op: 'rcall' };

/** The code of each macro, from the list and the function that tests a value. */
const loops: Readonly<Record<string, (list: Code, test: Code) => Code>> = {
  all: (list, test) => ({ on: list, member: 'every', args: [test] }),
  exists: (list, test) => ({ on: list, member: 'some', args: [test] }),
  exists_one: (list, test) => call('hasOne', { on: list, member: 'filter', args: [test] }),
};

export const loopNames = Object.keys(loops);

/** The names that the printed functions have for themselves. */
const loopName = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

/** Whether a call of a method is a loop over a list. */
export const isLoop = ({ args: [name] }: Call): boolean => Object.hasOwn(loops, name);

/** `tags.all(tag, …)`, `exists` and `exists_one`. */
export function checkLoop(checker: Checker, node: Call, facts: Facts): Operand | undefined {
  const [name, listNode, [variable, test]] = node.args;
  const list = checker.value(listNode, facts);
  if (!list) return undefined;
  if (list.type.is !== 'list') {
    return checker.refuse(list.node, `${partOf(list, 'this')} is ${nounOf(list.type)}, and ${name} needs a list`);
  }
  if (checker.loop) {
    return checker.refuse(node, `${name} is in another loop: the time would grow with the square of the values`);
  }
  if (variable?.op !== 'id' || !test) {
    return checker.refuse(node, `write a name for one value, then what holds for it: ${name}(tag, size(tag) < 10)`);
  }
  const item = variable.args;
  if (!loopName.test(item)) return checker.refuse(variable, `${item} must be snake_case, like tag`);
  if (checker.scope.fields.has(item) || checker.scope.references?.has(item)) {
    const noun = checker.scope.fields.has(item) ? 'field' : 'record that a field names';
    return checker.refuse(variable, `${item} is a ${noun}; choose another name for one value`);
  }
  const result = checker.inLoop({ name: item, type: list.type.of }).condition(test, facts);
  return result && operand(node, bool, loops[name]!(list.code, { item, result: result.code }));
}
