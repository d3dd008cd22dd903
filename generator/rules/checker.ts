import type { Total } from '../../runtime/rules/logic.ts';
import { nearName } from '../check/hints.ts';
import { specFile } from '../read/paths.ts';
import { checkArithmetic, negative } from './arithmetic.ts';
import type { Checker, Loop, Report, Scope } from './checking.ts';
import { binary, type Code, code, negated, textCode } from './code.ts';
import { checkEquality, checkIn, checkOrder } from './comparisons.ts';
import { both, either, type Facts, nothing, type Operand, operand, partOf, spanOf } from './operand.ts';
import { checkFunction, checkMethod } from './functions.ts';
import { checkLoop, isLoop } from './loops.ts';
import { asNumber, commonNumber } from './numbers.ts';
import type { Node, Span } from './parse.ts';
import { bool, double, int, nounOf, string, type Type } from './types.ts';

/** Checks the types of an expression, and makes code of it. */
export class ExpressionChecker implements Checker {
  readonly scope: Scope;
  readonly totals: Map<string, Total>;
  readonly loop: Loop | undefined;
  readonly #report: Report;

  constructor(scope: Scope, report: Report, loop?: Loop, totals = new Map<string, Total>()) {
    this.scope = scope;
    this.#report = report;
    this.loop = loop;
    this.totals = totals;
  }

  inLoop(loop: Loop): Checker {
    return new ExpressionChecker(this.scope, this.#report, loop, this.totals);
  }

  refuse(at: Node | Span, message: string): undefined {
    this.#report('start' in at ? spanOf(at) : at, message);
  }

  warn(at: Node, message: string): void {
    this.#report(spanOf(at), message, 'warning');
  }

  check(node: Node, facts: Facts): Operand | undefined {
    switch (node.op) {
      case 'value':
        return this.#literal(node);
      case 'id':
        return this.#variable(node, node.args, facts);
      case '&&':
      case '||':
        return this.#connective(node, facts);
      case '!_': {
        const value = this.condition(node.args, facts);
        return value && operand(node, bool, negated(value.code), { ifTrue: value.ifFalse, ifFalse: value.ifTrue });
      }
      case '-_':
        return negative(this, node, facts);
      case '?:':
        return this.#choice(node, facts);
      case '==':
      case '!=':
        return checkEquality(this, node, facts);
      case '<':
      case '<=':
      case '>':
      case '>=':
        return checkOrder(this, node, facts);
      case 'in':
        return checkIn(this, node, facts);
      case '+':
      case '-':
      case '*':
      case '/':
      case '%':
        return checkArithmetic(this, node, facts);
      case 'call':
        return checkFunction(this, node, facts);
      case 'rcall':
        return isLoop(node) ? checkLoop(this, node, facts) : checkMethod(this, node, facts);
      case '.':
        return this.#member(node);
      case 'list':
        return this.refuse(node, 'a list is only written behind in: status in ["open", "new"]');
      case '[]':
        return this.refuse(node, 'a value of a list is not reached by its place; write all or exists');
      default:
        return this.refuse(node, 'rules have no maps, messages and optional values');
    }
  }

  pair([left, right]: readonly [Node, Node], facts: Facts): readonly [Operand, Operand] | undefined {
    const [a, b] = [this.value(left, facts), this.value(right, facts)];
    return a && b && [a, b];
  }

  value(node: Node, facts: Facts): Operand | undefined {
    const found = this.check(node, facts);
    if (!found?.canBeNull && found?.type.is !== 'null') return found;
    if (found.type.is === 'null') return this.refuse(node, 'null can only be compared, by == and !=');
    const part = partOf(found, nounOf(found.type));
    if (found.name === undefined) {
      return this.refuse(node, 'this may be null; give it a value for that case, as in x == null ? 0 : x');
    }
    if (facts.get(found.name) === 'null') return this.refuse(node, `${part} is null here`);
    const guard = this.scope.isTimeless ? `${part} == null ? … : …` : `${part} != null && …, or ${part} == null || …`;
    const never = this.scope.fields.get(found.name)?.isComputed ? 'declare nullable: false if it never is, or ' : '';
    return this.refuse(
      node,
      `${part} may be null; ${never}write ${found.type.is === 'bool' ? `${part} == true` : guard}`,
    );
  }

  condition(node: Node, facts: Facts): Operand | undefined {
    const found = this.value(node, facts);
    if (!found || found.type.is === 'bool') return found;
    const part = partOf(found, nounOf(found.type));
    return this.refuse(node, `${part} is ${nounOf(found.type)}, and must be true or false; compare it`);
  }

  #literal(node: Node & { op: 'value' }): Operand | undefined {
    const value: unknown = node.args;
    if (value === null) return operand(node, { is: 'null' }, code('null'), { canBeNull: true });
    if (typeof value === 'boolean') return operand(node, bool, code(String(value)));
    if (typeof value === 'string') {
      return operand(node, { ...string, values: [value] }, textCode(value), { literal: value });
    }
    const written = node.input.slice(node.start, node.end);
    if (typeof value === 'bigint') {
      if (!Number.isSafeInteger(Number(value))) return this.refuse(node, `${written} is too large to be exact`);
      return operand(node, int, code(String(value)), { literal: String(value) });
    }
    if (typeof value === 'number') return operand(node, double, code(value), { literal: written });
    return this.refuse(node, 'rules have no bytes and no unsigned integers');
  }

  #variable(node: Node, name: string, facts: Facts): Operand | undefined {
    if (name === this.loop?.name) return operand(node, this.loop.type, { name }, { name });
    const field = this.scope.fields.get(name);
    if (field) {
      const canBeNull = field.canBeNull && facts.get(name) !== 'value';
      return operand(node, field.type, { name }, { canBeNull, name });
    }
    if (this.scope.declared?.has(name)) return undefined;
    if (this.scope.items?.has(name)) {
      return this.refuse(node, `${name} are line items; write count(${name}), or sum(${name}.…) of a field`);
    }
    const items = this.scope.itemKeys?.get(name);
    if (items !== undefined) return this.refuse(node, itemsWords(name, items));
    const builtIn = /^(?:id|idx|created_at|updated_at)$/.test(name);
    if (builtIn) return this.refuse(node, `${name} is set by the service; only declared fields can be named`);
    const known = [...this.scope.fields.keys(), ...(this.loop ? [this.loop.name] : [])];
    return this.refuse(node, `there is no field ${JSON.stringify(name)}${nearName(name, known) || quotesHint(node)}`);
  }

  #member(node: Node & { op: '.' }): undefined {
    const [of, name] = node.args;
    const owner = of.op === 'id' ? of.args : '';
    if (this.scope.items?.has(owner)) {
      const member = `${owner}.${name}`;
      return this.refuse(node, `${member} has a value for each line item; write sum(${member}), min or max`);
    }
    const items = this.scope.itemKeys?.get(owner);
    if (items !== undefined) return this.refuse(node, itemsWords(owner, items));
    const reference = [owner, `${owner}_id`].find((field) => this.scope.fields.get(field)?.references !== undefined);
    if (reference !== undefined) {
      const other = this.scope.fields.get(reference)?.references;
      const words = `${reference} is only the id of a ${other}, and an expression reads no other record; check it in a hook`;
      return this.refuse(node, `${words}, which can read("${other}", record.${reference})`);
    }
    if (this.scope.fields.has(name)) return this.refuse(node, `a field is named alone; write ${name}`);
    // The error of the field says enough.
    if (this.scope.declared?.has(owner) && !this.scope.fields.has(owner)) return undefined;
    if (/^(?:size|length|len)$/.test(name)) return this.refuse(node, `write ${owner || '…'}.size()`);
    return this.refuse(
      node,
      'values have no members, and an expression reads no other record but line items in computed; a hook reads others',
    );
  }

  #connective(node: Node & { op: '&&' | '||' }, facts: Facts): Operand | undefined {
    const isAnd = node.op === '&&';
    const left = this.condition(node.args[0], facts);
    const before = left && (isAnd ? left.ifTrue : left.ifFalse);
    const right = this.condition(node.args[1], both(facts, before ?? nothing));
    if (!left || !right) return undefined;
    const made = binary(left.code, node.op, right.code);
    return isAnd
      ? operand(node, bool, made, {
          ifTrue: both(left.ifTrue, right.ifTrue),
          ifFalse: either(left.ifFalse, both(left.ifTrue, right.ifFalse)),
        })
      : operand(node, bool, made, {
          ifTrue: either(left.ifTrue, both(left.ifFalse, right.ifTrue)),
          ifFalse: both(left.ifFalse, right.ifFalse),
        });
  }

  #choice(node: Node & { op: '?:' }, facts: Facts): Operand | undefined {
    const test = this.condition(node.args[0], facts);
    const yes = this.check(node.args[1], both(facts, test?.ifTrue ?? nothing));
    const no = this.check(node.args[2], both(facts, test?.ifFalse ?? nothing));
    if (!test || !yes || !no) return undefined;
    const type = commonType(yes, no);
    if (!type) {
      const message = `${nounOf(yes.type)} and ${nounOf(no.type)} cannot be the two results of one choice`;
      return this.refuse(no.node, message);
    }
    const as = (value: Operand): Code => (value.type.is === 'null' ? value.code : asNumber(value, type));
    return operand(
      node,
      type,
      { test: test.code, yes: as(yes), no: as(no) },
      {
        canBeNull: yes.canBeNull || no.canBeNull,
        ifTrue: either(both(test.ifTrue, yes.ifTrue), both(test.ifFalse, no.ifTrue)),
        ifFalse: either(both(test.ifTrue, yes.ifFalse), both(test.ifFalse, no.ifFalse)),
      },
    );
  }
}

/** The ways to say something about line items, which rules do not read. */
const itemsWords = (name: string, key: string): string =>
  `${name} are line items: a rule about each of them belongs to ${specFile(key)}, and a rule about all of them needs a ` +
  `computed field, such as { type: integer, computed: count(${name}) }`;

/** A word that was most likely meant as a text. */
const quotesHint = (node: Node): string =>
  node.op === 'id' ? `; a text is written in quotes, as in "${node.args}"` : '';

/** The type that holds the values of both; undefined if there is none. */
function commonType(a: Operand, b: Operand): Type | undefined {
  if (a.type.is === 'null') return b.type;
  if (b.type.is === 'null') return a.type;
  if (a.type.is === 'list' || b.type.is === 'list') return undefined;
  if (a.type.is === 'string' && b.type.is === 'string') {
    const values = a.type.values && b.type.values && [...new Set([...a.type.values, ...b.type.values])];
    return { ...string, ...(values && { values }) };
  }
  return commonNumber(a, b) ?? (a.type.is === b.type.is ? a.type : undefined);
}
