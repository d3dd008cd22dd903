import { referenceKey } from '../../runtime/kernel/model/table.ts';
import { type Computed, type Expression, referencesOf, type Resource, type Rule, segmentOf } from '../model/model.ts';
import { allIn, binary, type Code, negated } from '../rules/code.ts';
import { isTime } from '../rules/compile.ts';
import { printCode, variableOf } from './code.ts';
import { propertyKey } from './expression.ts';
import { importOf, type TypeScriptFile } from './file.ts';
import { clientBeside, identifiers, rulesAt } from './identifiers.ts';

/** Whether a resource has a file of rules. */
export const hasLogic = ({ rules, computed, transitions, form }: Resource): boolean =>
  rules.length + computed.length > 0 || transitions.some(({ rule }) => rule) || form.some(({ showIf }) => showIf);

/**
 * A function of a record.
 *
 * @param fields those that its result names
 * @param second the parameter behind the record, if it is needed
 */
function functionOf(fields: readonly string[], result: Code, second?: 'time' | 'totals'): string {
  const names = fields.map((name) => (variableOf(name) === name ? name : `${name}: ${variableOf(name)}`));
  const record = fields.length > 0 ? [`{ ${names.join(', ')} }`] : second ? ['_'] : [];
  return `(${[...record, ...(second ? [second] : [])].join(', ')}) => ${printCode(result)}`;
}

/** An object with each property on a line of its own. */
const openObject = (properties: Readonly<Record<string, string | undefined>>): string =>
  `{\n${Object.entries(properties)
    .flatMap(([key, value]) => (value === undefined ? [] : [`${propertyKey(key)}: ${value},\n`]))
    .join('')}}`;

/** Code that is true if a rule is broken. */
const brokenCode = ({ that, when }: Rule): Code =>
  when ? binary(when.code, '&&', negated(that.code)) : negated(that.code);

const fieldsOf = (rule: Rule): string[] => [...new Set([...(rule.when?.fields ?? []), ...rule.that.fields])];

/** The fields of other records that code reads, by the references that name these. */
const readsIn = (code: Code): ReadonlyMap<string, readonly { readonly field: string }[]> =>
  Map.groupBy(
    allIn(code).filter((part) => 'reference' in part),
    ({ reference }) => reference,
  );

/** The computed fields that follow from totals, also by others: each comes behind those that it needs. */
function fieldsOverTotals(computed: readonly Computed[]): ReadonlySet<string> {
  const overTotals = new Set<string>();
  for (const { field, value } of computed) {
    if (Object.keys(value.totals).length > 0 || value.fields.some((name) => overTotals.has(name)))
      overTotals.add(field);
  }
  return overTotals;
}

/** A rule as the runtime takes it. @param overTotals see `fieldsOverTotals` */
function ruleObject(rule: Rule, overTotals: ReadonlySet<string>): string {
  const { that, when, message, field } = rule;
  const broken = brokenCode(rule);
  const usesTime = allIn(broken).some(isTime);
  const reads = [...readsIn(broken)].map(([reference, parts]) => {
    const fields = new Set(parts.map((part) => part.field));
    return [referenceKey(reference), [...fields]] as const;
  });
  const names = [...fieldsOf(rule), ...reads.map(([key]) => key)];
  return openObject({
    that: JSON.stringify(that.text),
    when: when && JSON.stringify(when.text),
    message: JSON.stringify(message),
    field: JSON.stringify(field),
    isOverTotals: fieldsOf(rule).some((name) => overTotals.has(name)) ? 'true' : undefined,
    reads: reads.length > 0 ? JSON.stringify(Object.fromEntries(reads)) : undefined,
    isBroken: functionOf(names, broken, usesTime ? 'time' : undefined),
  });
}

/** A computed field as the runtime takes it. */
function computedObject({ value }: Computed): string {
  const { text, code, fields, totals } = value;
  const second = Object.keys(totals).length > 0 ? 'totals' : undefined;
  const [zone] = allIn(code).flatMap((part) => ('call' in part && part.call === 'dayIn' ? (part.args[0] ?? []) : []));
  // In another time zone, records are computed again.
  const isElsewhere = zone !== undefined && 'string' in zone && zone.string !== 'UTC';
  const expression = isElsewhere ? `${text} in ${zone.string}` : text;
  return openObject({ expression: JSON.stringify(expression), compute: functionOf(fields, code, second) });
}

/** A function that tells whether a condition holds. */
const conditionOf = ({ code, fields }: Expression): string =>
  functionOf(fields, code, allIn(code).some(isTime) ? 'time' : undefined);

/** Values by names, each on lines of its own; undefined if there are none. */
const byName = (entries: readonly (readonly [string, string])[]): string | undefined =>
  entries.length === 0 ? undefined : openObject(Object.fromEntries(entries));

/** The rules of a resource or of a transition: these are checked when it is made. */
const rulesList = (rules: readonly Rule[], overTotals: ReadonlySet<string> = new Set()): string =>
  `[${rules.map((rule) => ruleObject(rule, overTotals)).join(', ')}]`;

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
  const groups = resource.form.flatMap(({ title, showIf }) => (showIf ? [[title, showIf] as const] : []));
  // The totals that computed fields name, by their expressions.
  const totals = computed.flatMap(({ value }) => Object.entries(value.totals));
  const made = openObject({
    url: 'import.meta.url',
    name: JSON.stringify(names.logic),
    totals: byName(totals.map(([expression, total]) => [expression, JSON.stringify(total)])),
    computed: byName(computed.map((field) => [field.field, computedObject(field)])),
    rules: rules.length > 0 ? rulesList(rules, fieldsOverTotals(computed)) : undefined,
    transitions: byName(moves.map(([name, rule]) => [name, rulesList([rule])])),
    form: byName(groups.map(([title, showIf]) => [title, conditionOf(showIf)])),
  });
  const conditions = [...rules, ...moves.map(([, rule]) => rule)];
  const read = new Set(conditions.flatMap((rule) => [...readsIn(brokenCode(rule)).keys()]));
  const records = [...read].map((name) => {
    const { resource: key, table } = referencesOf(resource).find((field) => field.name === name)!;
    return { name: referenceKey(name), key, type: identifiers({ name: table }).type };
  });
  const modules = new Map(records.flatMap((record) => (record.key === resource.key ? [] : [[record.key, record]])));
  const types = [
    names.type,
    ...(records.length > 0 ? [`{ ${records.map(({ name, type }) => `${name}: ${type}`).join('; ')} }`] : []),
  ];
  const helpers = helpersIn([
    ...computed.map(({ value }) => value.code),
    ...conditions.map(brokenCode),
    ...groups.map(([, { code }]) => code),
  ]);
  return {
    source: resource.source,
    imports: [
      importOf(rulesAt(1), ['logic', ...helpers]),
      // The type of the client needs no package, as a browser has none.
      importOf(`./${segmentOf(resource)}.client.ts`, [names.type], { types: true }),
      ...[...modules.values()].map((other) => importOf(clientBeside(resource, other), [other.type], { types: true })),
    ],
    groups: [[`export const ${names.logic} = logic<${types.join(', ')}>(${made});`]],
    isFormatted: false,
  };
}
