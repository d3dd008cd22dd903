import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { valueAt } from '../../runtime/model/validate.ts';
import { fieldTypeRow, isValueOf } from '../model/field-types.ts';
import { misfit } from '../model/fit.ts';
import { isMapping } from '../emit/json.ts';
import {
  kebabCase,
  maxFields,
  maxTransitions,
  reservedTransitionNames,
  snakeCase,
  storedKeys,
} from '../model/language.ts';
import type { Field, Move, Rule } from '../model/model.ts';
import { oneOfWords, quoted } from '../read/words.ts';
import { compileCondition } from '../rules/compile.ts';
import type { Facts } from '../rules/operand.ts';
import { namedField, readFieldAt } from './field.ts';
import { type CheckedFile, refuseProto } from './structure.ts';
import { readRule, reportAt, scopeOf } from './rules.ts';
import type { ServiceValues } from './service-values.ts';
import { nearName } from './hints.ts';

const texts = z.array(z.string());

const mapping = z.custom<Readonly<Record<string, unknown>>>(isMapping);

/** A transition as far as its values have the right types: so much of it is checked further. */
const writtenSchema = z.object({
  field: z.string().default('status'),
  from: z.union([z.string(), texts]).optional().catch(undefined),
  to: z.string().optional().catch(undefined),
  requires: texts.catch([]),
  set: mapping.catch({}),
  input: mapping.catch({}),
  that: z.unknown().optional(),
});

type Written = z.infer<typeof writtenSchema> & { readonly name: string };

/** The fields that a transition sets, and those of its body. */
type Values = Pick<Move, 'set' | 'input'>;

/** The transitions of a file, also of one with errors. */
export function movesIn(data: Readonly<Record<string, unknown>>): Written[] {
  const written = valueAt(data, ['transitions']);
  return Object.entries(isMapping(written) ? written : {}).flatMap(([name, value]) => {
    const read = writtenSchema.safeParse(value).data;
    return read ? [{ ...read, name }] : [];
  });
}

/** Checks transitions. @returns those that are whole */
export function readTransitions(
  file: CheckedFile,
  fields: readonly Field[],
  moves: readonly Written[],
  shared: ServiceValues | undefined,
): Move[] {
  if (moves.length > maxTransitions) {
    file.atValue(['transitions'], `a resource can have at most ${maxTransitions} transitions`);
  }
  return moves.slice(0, maxTransitions).flatMap((move) => {
    const { name, field, from, to } = move;
    const path = ['transitions', name];
    const states = [from ?? []].flat();
    const isReserved = reservedTransitionNames.includes(name);
    if (isReserved) {
      file.atKey(path, `a transition cannot be called ${name}: that is an operation`);
    }
    const index = valueAt(file.spec.data, [...path, 'field']) === undefined ? path : [...path, 'field'];
    const moved = namedField(file, fields, field, index);
    if (moved && !fieldTypeRow(moved).canHaveStates) {
      file.atValue(index, `${name} moves ${field}, which must be a string without format`);
    }
    if (moved?.immutable) {
      file.atValue(
        ['fields', field, 'immutable'],
        `${field}: the transition ${name} changes it, so it cannot be immutable`,
      );
    }
    file.checkRepeats([...path, 'from'], states, `${name}: `);
    states.forEach((state, i) => {
      if (moved) checkState(file, name, moved, state, file.itemPath([...path, 'from'], i));
    });
    if (moved && to !== undefined) checkState(file, name, moved, to, [...path, 'to']);
    if (to !== undefined && states.includes(to)) {
      const remedy = states.length > 1 ? `take it out of \`from\`` : 'an update changes other fields';
      file.atValue(
        [...path, 'to'],
        `${name} moves from ${quoted(to)} to itself; a transition changes the state: ${remedy}`,
      );
    }
    const requires = readRequired(file, fields, move);
    const values = readValues(file, fields, move, shared);
    const rule = readThat(file, fields, move, values, shared);
    if (from === undefined || to === undefined || isReserved || !kebabCase.safeParse(name).success) return [];
    return {
      name,
      field,
      from: states,
      to,
      ...(requires.length > 0 && { requires }),
      ...values,
      ...(rule && { rule }),
    };
  });
}

/** Checks the fields that must have a value. */
function readRequired(file: CheckedFile, fields: readonly Field[], { name, requires }: Written): readonly string[] {
  const path = ['transitions', name, 'requires'];
  file.checkRepeats(path, requires, `${name}: `);
  requires.forEach((one, index) => {
    const field = namedField(file, fields, one, [...path, index]);
    if (field && !field.nullable) file.atValue([...path, index], `${name}: ${one} is never null; leave it out`);
  });
  return requires;
}

/** Checks the rule of a transition: about the record as it is then, with what the transition requires and sets. */
function readThat(
  file: CheckedFile,
  fields: readonly Field[],
  { name, requires, that }: Written,
  { set = {}, input = [] }: Values,
  shared: ServiceValues | undefined,
): Rule | undefined {
  if (that === undefined) return undefined;
  const path = ['transitions', name, 'that'];
  const scope = scopeOf(file, 'record', fields, shared?.timeZone);
  const isSet = (value: NonNullable<typeof set>[string]): boolean =>
    !('input' in value) || input.some((one) => one.name === value.input && !one.nullable);
  const present = [...requires, ...Object.keys(set).filter((field) => isSet(set[field] as never))];
  const facts: Facts = new Map(present.map((field) => [field, 'value']));
  if (isMapping(that)) return readRule(file, fields, scope, path, that, facts);
  if (typeof that !== 'string' || that.trim() === '') return undefined;
  const condition = compileCondition(that, scope, reportAt(file, path), facts)?.expression;
  const message = condition && `To ${name.replaceAll('-', ' ')}, this must hold: ${condition.text}`;
  return condition && { that: condition, when: undefined, message: message ?? '', field: undefined };
}

/** Characters of the longest actor. */
const actorLength = 100;

/** Checks the body of a transition, and the fields that it sets. */
function readValues(
  file: CheckedFile,
  fields: readonly Field[],
  move: Written,
  shared: ServiceValues | undefined,
): Values {
  const input = readInput(file, move, shared);
  const set: Record<string, NonNullable<Values['set']>[string]> = {};
  for (const [one, value] of Object.entries(move.set)) {
    const path = ['transitions', move.name, 'set', one];
    const name = typeof value === 'string' && value.startsWith('input.') ? value.slice('input.'.length) : undefined;
    const field = namedField(file, fields, one, path);
    if (name !== undefined) checkInput(file, move, path, name, field, input);
    const fault = field && faultOf(field, value, move);
    if (fault !== undefined) file.atKey(path, `${move.name} sets ${one}, ${fault}`);
    if (name !== undefined) set[one] = { input: name };
    else if (value === 'actor') set[one] = { by: 'actor' };
    else set[one] = value === 'today' ? { at: 'today', timeZone: shared?.timeZone ?? 'UTC' } : { at: 'now' };
  }
  return {
    ...(Object.keys(set).length > 0 && { set }),
    ...(input.length > 0 && { input: asStored(input, fields, set) }),
  };
}

/** Gives inputs that are references the rules of the references that they set. */
const asStored = (input: readonly Field[], fields: readonly Field[], set: NonNullable<Values['set']>): Field[] =>
  input.map((one) => {
    const isSet = ({ name }: Field): boolean => isDeepStrictEqual(set[name], { input: one.name });
    const field = one.type === 'reference' ? fields.find(isSet) : undefined;
    return one.type === 'reference' && field?.type === 'reference' ? { ...one, onDelete: field.onDelete } : one;
  });

/** Checks the fields of a body by themselves. */
function readInput(file: CheckedFile, move: Written, shared: ServiceValues | undefined): Field[] {
  const path = ['transitions', move.name, 'input'];
  const written = Object.entries(move.input);
  refuseProto(file, path, snakeCase);
  if (isMapping(valueAt(file.spec.data, path)) && written.length === 0) {
    file.atValue(path, `${move.name}: an input needs at least one field; without one, leave input out`);
  }
  if (written.length > maxFields) file.atValue(path, `${move.name}: an input can have at most ${maxFields} fields`);
  return written.slice(0, maxFields).flatMap(([name, field]) => {
    const at = [...path, name];
    if (snakeCase.safeParse(name).success && !Object.values(move.set).includes(`input.${name}`)) {
      file.atKey(
        at,
        `${move.name}: no field of the record takes the input ${name}; write set: { ${name}: input.${name} }`,
      );
    }
    for (const key of storedKeys.filter((one) => isMapping(field) && one in field)) {
      file.atKey([...at, key], `${name}: ${key} is a key of the field that the input sets; remove it here`);
    }
    return readFieldAt(file, 'record', at, field, shared) ?? [];
  });
}

/** Checks that a field takes each value of an input. @param path the field in `set` */
function checkInput(
  file: CheckedFile,
  { name: transition, input: written }: Written,
  path: readonly string[],
  name: string,
  field: Field | undefined,
  inputs: readonly Field[],
): void {
  if (snakeCase.safeParse(name).success && !Object.hasOwn(written, name)) {
    const hint = nearName(name, Object.keys(written));
    file.atValue(path, `${transition} has no input ${quoted(name)}${hint || '; write it below input'}`);
  }
  const input = inputs.find((one) => one.name === name);
  if (!field || !input) return;
  const isNullable = input.nullable && !field.nullable;
  const why = misfit(input, field) ?? (isNullable ? 'is never null: write required: true at the input' : undefined);
  if (why !== undefined)
    file.atValue(path, `${transition}: the input ${name} does not fit ${field.name}, which ${why}`);
}

/** Why a transition cannot set a field to a value, to follow its name. */
function faultOf(field: Field, value: unknown, move: Written): string | undefined {
  if (field.name === move.field) return 'which is the state that it moves';
  if (field.computed !== undefined) return 'which is computed';
  if (field.immutable) return 'which cannot be immutable then; write read_only: true';
  if (value !== 'now' && value !== 'today' && value !== 'actor') return undefined;
  const fitting = { 'date-time': 'now', date: 'today' }[field.type as string];
  if (value !== 'actor') {
    const needed = value === 'now' ? 'date-time' : 'date';
    const hint = fitting === undefined ? '' : `; write ${fitting}`;
    return value === fitting ? undefined : `and ${value} needs { format: ${needed} }${hint}`;
  }
  const isText =
    field.type === 'text' && field.pattern === undefined && (field.maxLength ?? actorLength) >= actorLength;
  return isText ? undefined : `and actor needs a string of ${actorLength} characters`;
}

/** Checks that a state is a value of a field. @param transition the transition or the key that names it */
export function checkState(
  file: CheckedFile,
  transition: string,
  field: Field,
  state: string,
  path: readonly PropertyKey[],
): void {
  const issue = fieldTypeRow(field).canHaveStates ? isValueOf(field, state).error?.issues[0] : undefined;
  if (!issue) return;
  const values = issue.code === 'invalid_value' ? issue.values : undefined;
  const why = values
    ? nearName(state, values.map(String)) || `; it can be ${oneOfWords(values)}`
    : `: it ${issue.message}`;
  file.atValue(path, `${transition}: ${field.name} cannot be ${quoted(state)}${why}`);
}

/** Warns of a state that no default and no transition leads to: most often it is misspelt. */
export function warnOfUnreachable(file: CheckedFile, fields: readonly Field[], transitions: readonly Move[]): void {
  const reachable = new Map<string, Set<string>>();
  for (const { name, default: start } of fields) reachable.set(name, new Set(typeof start === 'string' ? [start] : []));
  for (const { field, to } of transitions) reachable.get(field)?.add(to);
  for (const { name, field, from } of transitions) {
    const states = reachable.get(field);
    from.forEach((state, index) => {
      if (!states || states.has(state)) return;
      const path = file.itemPath(['transitions', name, 'from'], index);
      const message = `${name}: ${quoted(state)} is neither the default of ${field} nor the target of a transition`;
      file.atValue(path, message + nearName(state, [...states]), 'warning');
    });
  }
}
