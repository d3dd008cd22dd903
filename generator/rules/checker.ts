import type { Total } from '../../runtime/features/rules/expressions/logic.ts';
import { referenceKey } from '../../runtime/kernel/model/table.ts';
import { nearField, nearName } from '../check/hints.ts';
import { specFile } from '../read/paths.ts';
import { checkArithmetic, negative } from './arithmetic.ts';
import type { Checker, Loop, ReferencedFields, Report, RowFields, Scope } from './checking.ts';
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

  ofRows(name: string, { fields, declared }: RowFields): Checker {
    const { timeZone } = this.scope;
    const scope = { fields, ...(declared && { declared }), rows: name, timeZone, isTimeless: true };
    return new ExpressionChecker(scope, this.#report);
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
        return this.#member(node, facts);
      case 'list':
        return this.refuse(node, 'a list is only written behind in: status in ["open", "new"]');
      case '[]':
        if (this.#isJson(node.args[0])) return this.#refuseJson(node, node.args[0], 'what it reads');
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
    const value = this.check(node, facts);
    if (!value?.canBeNull && value?.type.is !== 'null') return value;
    if (value.type.is === 'null') return this.refuse(node, 'null can only be compared, by == and !=');
    const part = partOf(value, nounOf(value.type));
    if (value.name === undefined) {
      return this.refuse(node, 'this may be null; give it a value for that case, as in x == null ? 0 : x');
    }
    if (facts.get(value.name) === 'null') return this.refuse(node, `${part} is null here`);
    const hasChoice = this.scope.isTimeless && this.scope.rows === undefined;
    const guard = hasChoice ? `${part} == null ? … : …` : `${part} != null && …, or ${part} == null || …`;
    const never = this.scope.fields.get(value.name)?.isComputed ? 'declare nullable: false if it never is, or ' : '';
    return this.refuse(
      node,
      `${part} may be null; ${never}write ${value.type.is === 'bool' ? `${part} == true` : guard}`,
    );
  }

  condition(node: Node, facts: Facts): Operand | undefined {
    const value = this.value(node, facts);
    if (!value || value.type.is === 'bool') return value;
    const part = partOf(value, nounOf(value.type));
    return this.refuse(node, `${part} is ${nounOf(value.type)}, and must be true or false; compare it`);
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
    const { rows } = this.scope;
    if (rows === undefined) return this.#field(node, name, facts);
    const hint = this.scope.fields.has(name) ? `; write ${rows}.${name}` : '';
    return this.refuse(node, `a condition of a total reads the ${rows} alone${hint}`);
  }

  #field(node: Node, name: string, facts: Facts): Operand | undefined {
    const field = this.scope.fields.get(name);
    if (field) {
      const canBeNull = field.canBeNull && facts.get(name) !== 'value';
      return operand(node, field.type, { name }, { canBeNull, name });
    }
    const record = this.scope.references?.get(name);
    if (record && !this.scope.isTimeless) return this.#referenced(node, record.field, facts);
    if (this.scope.declared?.has(name)) return undefined;
    if (this.scope.items?.has(name)) {
      const words = `${name} are several records; write count(${name}), or sum(${name}.…) of a field`;
      return this.refuse(node, `${words}, each also with a condition: count(${name}, ${name}.… == …)`);
    }
    const items = this.scope.itemKeys?.get(name);
    if (items !== undefined) return this.refuse(node, itemsWords(name, items));
    if (isBuiltIn(name)) return this.refuse(node, `${name} is set by the service; only declared fields can be named`);
    const names = [...this.scope.fields.keys(), ...(this.loop ? [this.loop.name] : [])];
    return this.refuse(node, `there is no field ${JSON.stringify(name)}${nearField(name, names) || quotesHint(node)}`);
  }

  /** A record that a reference names, which is compared with null; its fields are read apart. */
  #referenced(node: Node, field: string, facts: Facts): Operand {
    const canBeNull = this.scope.fields.get(field)?.canBeNull === true && facts.get(field) !== 'value';
    return operand(node, { is: 'record' }, { name: field }, { canBeNull, name: field });
  }

  /** A field of a record that a reference names. */
  #read(
    node: Node & { op: '.' },
    { field, key, isOfSeveral, fields, declared }: ReferencedFields,
    facts: Facts,
  ): Operand | undefined {
    const [of, name] = node.args;
    if (isOfSeveral)
      return this.refuse(
        node,
        `${field} names records of several resources, whose fields no expression reads; a hook can read the record, and ${this.scope.isTimeless ? 'set a field' : 'refuse the write'}`,
      );
    if (this.scope.isTimeless) {
      const words = `a computed value would not change when the ${key} does`;
      const copied = `default_from: ${referenceKey(field)}.${name}`;
      return this.refuse(node, `${words}; compare it in a rule, or copy it at the create into a field with ${copied}`);
    }
    if (!this.value(of, facts)) return undefined;
    const variable = fields?.get(name);
    if (variable) {
      const path = `${of.op === 'id' ? of.args : ''}.${name}`;
      const canBeNull = variable.canBeNull && facts.get(path) !== 'value';
      return operand(node, variable.type, { reference: field, field: name }, { canBeNull, name: path });
    }
    // The error of its file says enough.
    if (!fields || declared?.has(name)) return undefined;
    if (isBuiltIn(name))
      return this.refuse(node, `${name} of ${key} is set by the service; only declared fields can be read`);
    const hint = nearField(name, [...fields.keys()]);
    return this.refuse(node, `${key}, which ${field} names, has no field ${JSON.stringify(name)}${hint}`);
  }

  #isJson(node: Node): boolean {
    return node.op === 'id' && this.scope.fields.get(node.args)?.type.is === 'json';
  }

  #refuseJson(at: Node, { input, start, end }: Node, part: string): undefined {
    const words = `no expression reads a part of ${input.slice(start, end)}, which is JSON`;
    return this.refuse(at, `${words}: make ${part} a field of its own`);
  }

  /** The reference by the name of its record; also by its own if no name of the record would do. */
  #referenceOf(owner: string): ReferencedFields | undefined {
    const { references, isTimeless = false } = this.scope;
    const byId = [...(references?.values() ?? [])].find(({ field }) => field === owner);
    return references?.get(owner) ?? (byId?.isOfSeveral || isTimeless ? byId : undefined);
  }

  #member(node: Node & { op: '.' }, facts: Facts): Operand | undefined {
    const [of, name] = node.args;
    const owner = of.op === 'id' ? of.args : '';
    if (owner !== '' && owner === this.scope.rows) return this.#field(node, name, facts);
    if (this.scope.items?.has(owner)) {
      const member = `${owner}.${name}`;
      return this.refuse(node, `${member} has a value for each of them; write sum(${member}), min or max`);
    }
    const items = this.scope.itemKeys?.get(owner);
    if (items !== undefined) return this.refuse(node, itemsWords(owner, items));
    const record = this.#referenceOf(owner);
    if (record) return this.#read(node, record, facts);
    const reference = [owner, `${owner}_id`].find((field) => this.scope.fields.get(field)?.references !== undefined);
    if (reference !== undefined && !this.scope.references) {
      return this.refuse(
        node,
        `only rules read the record that ${reference} names; this is about fields of the record itself`,
      );
    }
    const other = this.scope.fields.get(owner)?.references;
    if (other !== undefined) {
      return this.refuse(node, `${owner} is only the id of a ${other}; write ${referenceKey(owner)}.${name}`);
    }
    if (of.op === '.' && of.args[0].op === 'id' && this.scope.references?.has(of.args[0].args)) {
      return this.refuse(
        node,
        'a rule reads the records that its own references name, and not those that these name in turn; a hook can',
      );
    }
    // The error of the reference says enough.
    if (this.scope.declared?.has(`${owner}_id`) && !this.scope.fields.has(`${owner}_id`)) return undefined;
    const near = owner === '' ? '' : nearName(owner, [...(this.scope.references?.keys() ?? [])]);
    if (near !== '') return this.refuse(of, `no reference names a record ${JSON.stringify(owner)}${near}`);
    if (of.op !== 'id' && name === 'days') return this.refuse(node, 'write days(from, to)');
    if (this.#isJson(of)) return this.#refuseJson(node, of, name);
    if (this.scope.fields.has(`${owner}_id`)) {
      return this.refuse(
        node,
        `${owner}_id has no references, so that no rule reads the record of that id; a hook can`,
      );
    }
    if (this.scope.fields.has(name)) {
      const words = owner === '' ? 'a field is named alone' : `no reference names a record ${JSON.stringify(owner)}`;
      return this.refuse(node, `${words}; a field of this record is written ${name}`);
    }
    // The error of the field says enough.
    if (this.scope.declared?.has(owner) && !this.scope.fields.has(owner)) return undefined;
    if (/^(?:size|length|len)$/.test(name)) return this.refuse(node, `write ${owner || '…'}.size()`);
    return this.refuse(
      node,
      'values have no members, and an expression reads no other record but line items in computed, and those that references name in rules; default_from copies a value of settings',
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
    const made = { test: test.code, yes: as(yes), no: as(no) };
    return operand(node, type, made, {
      canBeNull: yes.canBeNull || no.canBeNull,
      ifTrue: either(both(test.ifTrue, yes.ifTrue), both(test.ifFalse, no.ifTrue)),
      ifFalse: either(both(test.ifTrue, yes.ifFalse), both(test.ifFalse, no.ifFalse)),
    });
  }
}

const isBuiltIn = (name: string): boolean => /^(?:id|idx|created_at|updated_at)$/.test(name);

/** The ways to say something about line items, and about records that reference one, which rules do not read. */
const itemsWords = (name: string, key: string): string =>
  `${name} are records of ${key}: a rule about each of them belongs to ${specFile(key)}, and a rule about all of them needs a ` +
  `computed field, such as { type: integer, computed: count(${name}) }`;

/** A word that was most likely meant as a text, or as a time. */
const quotesHint = (node: Node): string => {
  if (node.op !== 'id') return '';
  return /^(?:now|today)$/.test(node.args)
    ? `; write ${node.args}()`
    : `; a text is written in quotes, as in "${node.args}"`;
};

/** The type that holds the values of both; undefined if there is none. */
function commonType(a: Operand, b: Operand): Type | undefined {
  if (a.type.is === 'null') return b.type;
  if (b.type.is === 'null') return a.type;
  if ([a, b].some(({ type }) => type.is === 'list' || type.is === 'json' || type.is === 'record')) return undefined;
  if (a.type.is === 'string' && b.type.is === 'string') {
    const values = a.type.values && b.type.values && [...new Set([...a.type.values, ...b.type.values])];
    return { ...string, ...(values && { values }) };
  }
  return commonNumber(a, b) ?? (a.type.is === b.type.is ? a.type : undefined);
}
