import { builders } from 'prettier/doc';
import { type Computed, type Resource, type Rule, segmentOf } from '../model/model.ts';
import { allIn, binary, type Code, negated } from '../rules/code.ts';
import { isTime } from '../rules/compile.ts';
import { arrow, variableOf } from './code.ts';
import { array, call, type Expression, literal, mapValues, object, print, string } from './expression.ts';
import { importOf, type TypeScriptFile } from './file.ts';
import { identifiers, rulesAt } from './identifiers.ts';

const { group, indent, join, line, softline } = builders;

/** Whether a resource has a file of rules. */
export const hasLogic = ({ rules, computed, transitions }: Resource): boolean =>
  rules.length + computed.length > 0 || transitions.some(({ rule }) => rule);

/** The fields of a record in the parameters of a function. */
function recordParameter(fields: readonly string[]): Expression {
  const names = fields.map((name) => (variableOf(name) === name ? name : `${name}: ${variableOf(name)}`));
  return group(['{', indent([line, join([',', line], names)]), builders.ifBreak(',', ''), line, '}']);
}

/**
 * A function of a record.
 *
 * @param fields those that its result names
 * @param second the parameter behind the record, if it is needed
 */
function functionOf(fields: readonly string[], result: Code, second?: 'time' | 'totals'): Expression {
  const record = fields.length === 0 ? '_' : recordParameter(fields);
  if (second) {
    const both = ['(', indent([softline, record, ',', line, second]), builders.ifBreak(',', ''), softline, ')'];
    return arrow(group(both), result);
  }
  return arrow(fields.length === 0 ? '()' : ['(', record, ')'], result);
}

/** Code that is true if a rule is broken. */
const brokenCode = ({ that, when }: Rule): Code =>
  when ? binary(when.code, '&&', negated(that.code)) : negated(that.code);

const fieldsOf = (rule: Rule): string[] => [...new Set([...(rule.when?.fields ?? []), ...rule.that.fields])];

/** A text that the formatter moves to the next line if it is too long; behind a key of up to four letters, it stays. */
const movable = (value: string): Expression => group(indent([softline, string(value)]));

/** A rule as the runtime takes it. */
function ruleObject(rule: Rule): Expression {
  const { that, when, message, field } = rule;
  const broken = brokenCode(rule);
  const usesTime = allIn(broken).some(isTime);
  return object(
    {
      that: string(that.text),
      when: when && string(when.text),
      message: movable(message),
      field: field === undefined ? undefined : movable(field),
      isBroken: functionOf(fieldsOf(rule), broken, usesTime ? 'time' : undefined),
    },
    { open: true },
  );
}

/** The totals that computed fields name, by their expressions. */
const totalsOf = (computed: readonly Computed[]): Computed['value']['totals'] =>
  Object.assign({}, ...computed.map(({ value }) => value.totals)) as Computed['value']['totals'];

/** A computed field as the runtime takes it. */
function computedObject({ value }: Computed): Expression {
  const { text, code, fields, totals } = value;
  const second = Object.keys(totals).length > 0 ? 'totals' : undefined;
  return object({ expression: movable(text), compute: functionOf(fields, code, second) }, { open: true });
}

/** Values by names, each on lines of its own; undefined if there are none. */
const openObject = <V>(entries: readonly (readonly [string, V])[], map: (value: V) => Expression) =>
  entries.length === 0 ? undefined : object(mapValues(Object.fromEntries(entries), map), { open: true });

/** The functions and constants of the runtime that expressions use. */
function helpersIn(codes: readonly Code[]): string[] {
  const all = codes.flatMap(allIn);
  const called = all.flatMap((part) => ('call' in part ? [part.call.split('.')[0] ?? ''] : []));
  const constants = all.flatMap((part) =>
    'text' in part && /^(?:day|hour|minute|second)$/.test(part.text) ? [part.text] : [],
  );
  return [...new Set([...called, ...constants])].filter((name) => name !== 'String');
}

/** `<area>/<resource>.rules.ts`: the rules of a resource as functions, which the server, its threads and browsers load. */
export function emitRules(resource: Resource): TypeScriptFile | undefined {
  if (!hasLogic(resource)) return undefined;
  const names = identifiers(resource);
  const { rules, computed } = resource;
  const moves = resource.transitions.flatMap(({ name, rule }) => (rule ? [[name, rule] as const] : []));
  const parts = {
    url: 'import.meta.url',
    name: string(names.logic),
    totals: openObject(Object.entries(totalsOf(computed)), (total) => literal({ ...total })),
    computed: openObject(
      computed.map((one) => [one.field, one]),
      computedObject,
    ),
    rules: rules.length > 0 ? array(rules.map(ruleObject)) : undefined,
    transitions: openObject(moves, (rule) => array([ruleObject(rule)])),
  };
  const conditions = [...rules, ...moves.map(([, rule]) => rule)];
  const helpers = helpersIn([...computed.map(({ value }) => value.code), ...conditions.map(brokenCode)]);
  const made = call(`logic<${names.type}>`, [object(parts, { open: true })], { hugLast: true });
  return {
    source: resource.source,
    imports: [
      importOf(rulesAt(1), ['logic', ...helpers]),
      // The type of the client needs no package, as a browser has none.
      importOf(`./${segmentOf(resource)}.client.ts`, [names.type], { types: true }),
    ],
    groups: [[print([`export const ${names.logic} = `, made, ';'])]],
  };
}
