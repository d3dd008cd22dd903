import type { Kind } from '../../runtime/kernel/model/operations.ts';
import type { SetValue } from '../../runtime/kernel/model/operations.ts';
import { referenceKey } from '../../runtime/kernel/model/table.ts';
import { valueAt } from '../../runtime/kernel/model/validate.ts';
import { isMapping } from '../emit/json.ts';
import { type Field, type Move, referencesOf, type Resource, type Rule } from '../model/model.ts';
import { resourceKeyOf } from '../read/paths.ts';
import type { Report, Scope } from '../rules/checking.ts';
import { compileCondition, variablesOf } from '../rules/compile.ts';
import type { Facts } from '../rules/operand.ts';
import { namedField } from './field.ts';
import type { ReadResource } from './resource.ts';
import type { CheckedFile } from './structure.ts';

/** The names that expressions about the records of a file have, but for those of other records. */
export function scopeOf(file: CheckedFile, kind: Kind, fields: readonly Field[], timeZone = 'UTC'): Scope {
  const written = valueAt(file.spec.data, ['fields']);
  const declared = isMapping(written) ? Object.keys(written) : [];
  const itemKeys = file.names.itemsOf(resourceKeyOf(file.spec.path));
  return { fields: variablesOf(fields, { kind }), declared: new Set(declared), itemKeys, timeZone };
}

/** Reports faults of an expression at their places in a file. */
export const reportAt =
  (file: CheckedFile, path: readonly PropertyKey[]): Report =>
  (part, message, severity) =>
    file.add({ path, of: 'value', part }, message, severity);

/** Reads and checks the rules under `rules`, as far as their values have the right types. @returns those that are whole */
function rulesOf(file: CheckedFile, fields: readonly Field[], scope: Scope): Rule[] {
  const written = valueAt(file.spec.data, ['rules']);
  const rules: readonly unknown[] = Array.isArray(written) ? written : [];
  return rules.flatMap((rule, index) => readRule(file, fields, scope, ['rules', index], rule) ?? []);
}

/** The records that references of a resource name, by the names under which `expand` shows them. */
export const referencedBy = (resource: Resource, read: readonly ReadResource[]): NonNullable<Scope['references']> =>
  new Map(
    referencesOf(resource).map(({ name: field, resource: key, others }) => {
      const other = read.find((one) => one.resource?.key === key);
      const { fields, declared } = other?.resource
        ? scopeOf(other.file, other.resource.kind, other.resource.fields)
        : {};
      return [referenceKey(field), { field, key, isOfSeveral: others.length > 0, fields, declared }];
    }),
  );

/** The rules of a resource, and those of its transitions by the names of these. */
export interface ReadRules {
  readonly rules: readonly Rule[];
  readonly ofMoves: ReadonlyMap<string, Rule>;
}

/** Checks the rules of all resources, which read fields of other files. @returns those of each resource, by its key */
export const readRules = (read: readonly ReadResource[], timeZone?: string): ReadonlyMap<string, ReadRules> =>
  new Map(
    read.flatMap(({ file, resource }) => {
      if (!resource) return [];
      const { key, kind, fields, transitions } = resource;
      const scope = { ...scopeOf(file, kind, fields, timeZone), references: referencedBy(resource, read) };
      const ofMoves = new Map(
        transitions.flatMap((move) => {
          const rule = readThat(file, fields, move, scope);
          return rule ? [[move.name, rule]] : [];
        }),
      );
      return [[key, { rules: rulesOf(file, fields, scope), ofMoves }]];
    }),
  );

/** Reads one rule. Undefined if it has errors. @param facts what is known of the fields */
function readRule(
  file: CheckedFile,
  fields: readonly Field[],
  scope: Scope,
  path: readonly PropertyKey[],
  written: unknown,
  facts?: Facts,
): Rule | undefined {
  const textOf = (key: string): string | undefined => {
    const value = valueAt(written, [key]);
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const [guard, text, field] = [textOf('when'), textOf('that'), textOf('field')];
  const when =
    guard === undefined ? undefined : compileCondition(guard, scope, reportAt(file, [...path, 'when']), facts);
  const that =
    text === undefined
      ? undefined
      : compileCondition(text, scope, reportAt(file, [...path, 'that']), when?.ifTrue ?? facts);
  if (field !== undefined) namedField(file, fields, field, [...path, 'field']);
  if (!that || (guard !== undefined && !when)) return undefined;
  return { that: that.expression, when: when?.expression, message: textOf('message')?.trim() ?? '', field };
}

/** Checks the rule of a transition: about the record as it is then, with what the transition requires and sets. */
function readThat(
  file: CheckedFile,
  fields: readonly Field[],
  { name, requires = [], set = {}, input = [] }: Move,
  scope: Scope,
): Rule | undefined {
  const path = ['transitions', name, 'that'];
  const that = valueAt(file.spec.data, path);
  if (that === undefined) return undefined;
  const factsOf = ([field, value]: [string, SetValue]): [string, 'null' | 'value'][] => {
    if ('value' in value) return [[field, value.value === null ? 'null' : 'value']];
    const isPresent =
      !('input' in value) || input.some((inputField) => inputField.name === value.input && !inputField.nullable);
    return isPresent ? [[field, 'value']] : [];
  };
  const required = requires.map((field) => [field, 'value'] as const);
  const facts: Facts = new Map([...required, ...Object.entries(set).flatMap(factsOf)]);
  if (isMapping(that)) return readRule(file, fields, scope, path, that, facts);
  if (typeof that !== 'string' || that.trim() === '') return undefined;
  const condition = compileCondition(that, scope, reportAt(file, path), facts)?.expression;
  const message = condition && `To ${name.replaceAll('-', ' ')}, this must hold: ${condition.text}`;
  return condition && { that: condition, when: undefined, message: message ?? '', field: undefined };
}
