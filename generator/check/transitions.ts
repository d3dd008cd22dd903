import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { archiveOperations } from '../../runtime/features/archive/feature.ts';
import type { FieldValue } from '../../runtime/kernel/model/fields.ts';
import type { SetValue } from '../../runtime/kernel/model/operations.ts';
import { valueAt } from '../../runtime/kernel/model/validate.ts';
import { fieldTypeRow, isValueOf } from '../model/field-types.ts';
import { misfit } from '../model/fit.ts';
import { isMapping } from '../emit/json.ts';
import {
  actorWords,
  kebabCase,
  maxFields,
  maxTransitions,
  reservedTransitionNames,
  setWords,
  snakeCase,
  storedKeys,
} from '../model/language.ts';
import { type Field, type Move, targetsOf } from '../model/model.ts';
import { oneOfWords, quoted } from '../read/words.ts';
import { canHoldActor, isMomentWord, namedField, readFieldAt, readValue } from './field.ts';
import { type CheckedFile, refuseProto } from './structure.ts';
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
  const operations = valueAt(file.spec.data, ['archive']) === true ? archiveOperations.map(({ name }) => name) : [];
  const reserved = new Set([...reservedTransitionNames, ...operations]);
  return moves.slice(0, maxTransitions).flatMap((written) => {
    const { name, field, from, to } = written;
    const path = ['transitions', name];
    const states = [from ?? []].flat();
    const isReserved = reserved.has(name);
    if (isReserved) file.atKey(path, `a transition cannot be called ${name}: that is an operation`);
    const index = valueAt(file.spec.data, [...path, 'field']) === undefined ? path : [...path, 'field'];
    const moved = namedField(file, fields, field, index);
    if (moved && !fieldTypeRow(moved).canHaveStates) {
      file.atValue(index, `${name} moves ${field}, which must be a string without format`);
    }
    if (moved?.immutable) {
      const words = `the transition ${name} changes it, so it cannot be immutable`;
      file.atValue(['fields', field, 'immutable'], `${field}: ${words}`);
    }
    file.checkRepeats([...path, 'from'], states, `${name}: `);
    states.forEach((state, i) => {
      if (moved) checkState(file, name, moved, state, file.itemPath([...path, 'from'], i));
    });
    if (moved && to !== undefined) checkState(file, name, moved, to, [...path, 'to']);
    if (to !== undefined && states.includes(to)) {
      const remedy = states.length > 1 ? `take it out of \`from\`` : 'leave out `to`';
      const words = `moves from ${quoted(to)} to itself; to keep the state, ${remedy}`;
      file.atValue([...path, 'to'], `${name} ${words}`);
    }
    const requires = readRequired(file, fields, written);
    const values = readValues(file, fields, moves, written, shared);
    if (from === undefined || isReserved || !kebabCase.safeParse(name).success) return [];
    const move = {
      name,
      field,
      from: states,
      ...(to !== undefined && { to }),
      ...(requires.length > 0 && { requires }),
    };
    return { ...move, ...values };
  });
}

/** Checks the fields that must have a value. */
function readRequired(
  file: CheckedFile,
  fields: readonly Field[],
  { name, requires, set }: Written,
): readonly string[] {
  const path = ['transitions', name, 'requires'];
  file.checkRepeats(path, requires, `${name}: `);
  requires.forEach((fieldName, index) => {
    const field = namedField(file, fields, fieldName, [...path, index]);
    if (field && !field.nullable) file.atValue([...path, index], `${name}: ${fieldName} is never null; leave it out`);
    if (set[fieldName] === null) file.atValue([...path, index], `${name} sets ${fieldName} to null; leave it out`);
  });
  return requires;
}

/** Checks the body of a transition, and the fields that it sets. */
function readValues(
  file: CheckedFile,
  fields: readonly Field[],
  moves: readonly Written[],
  move: Written,
  shared: ServiceValues | undefined,
): Values {
  const input = readInput(file, fields, move, shared);
  const set: Record<string, SetValue> = {};
  const states = new Set(moves.map((other) => other.field));
  for (const [fieldName, written] of Object.entries(move.set)) {
    const path = ['transitions', move.name, 'set', fieldName];
    const field = namedField(file, fields, fieldName, path);
    const value = setValueOf(written, shared);
    if ('input' in value) checkInput(file, move, path, value.input, field, input);
    const fault = field && faultOf(field, value, states);
    if (fault !== undefined) file.atKey(path, `${move.name} sets ${fieldName}, ${fault}`);
    set[fieldName] = field && fault === undefined && 'value' in value ? readLiteral(file, move, field, value) : value;
  }
  return {
    ...(Object.keys(set).length > 0 && { set }),
    ...(input.length > 0 && { input: asStored(input, fields, set) }),
  };
}

/** The value that `set` gives a field, as it is written. */
function setValueOf(written: unknown, shared: ServiceValues | undefined): SetValue {
  if (written === 'now') return { at: 'now' };
  if (written === 'today') return { at: 'today', timeZone: shared?.timeZone ?? 'UTC' };
  if (written === 'actor') return { by: 'actor' };
  if (typeof written === 'string' && written.startsWith('input.')) return { input: written.slice('input.'.length) };
  return { value: (isMapping(written) ? (written['value'] ?? null) : written) as FieldValue };
}

/** Checks a literal of `set`. @returns it as records store it */
function readLiteral(
  file: CheckedFile,
  { name, set, input }: Written,
  field: Field,
  { value }: { readonly value: FieldValue },
): SetValue {
  const place = { file, kind: 'record', name, path: ['transitions', name, 'set'] } as const;
  const words = [...setWords, ...Object.keys(input).map((inputName) => `input.${inputName}`)];
  const isTyped = typeof value === 'string' && field.type !== 'text' && field.type !== 'enum';
  const form = isTyped ? '; `set` takes now, today, actor, input.<name>, null or a value of the field' : '';
  const isMapped = isMapping(set[field.name]);
  const isActorWord = /^\$?(?:actor\.\w+|(?:current_?)?user(?:\.\w+)?)$/i.test(String(value));
  if (field.type === 'text' && !isMapped && (isActorWord || isMomentWord(value))) {
    const remedy = `${isActorWord ? 'who makes the request is actor; ' : ''}if that is meant, write { value: ${JSON.stringify(value)} }`;
    const message = `${name}: this sets ${field.name} to the text ${quoted(value)}; ${remedy}`;
    file.atValue([...place.path, field.name], message, 'warning');
  }
  const quotes = field.type === 'decimal' && typeof value === 'number' ? '; write it in quotes' : '';
  const hintOf = (wrong: string): string => {
    if (isMapped) return '';
    const meant = meantName(wrong, Object.keys(input));
    if (meant !== undefined) return `; did you mean "input.${meant}"?`;
    return quotes || nearName(wrong.replace(/\(\)$/, ''), words) || form;
  };
  const keys = isMapped ? [field.name, 'value'] : [field.name];
  return { value: readValue({ ...place, shared: undefined }, field, keys, value, hintOf) };
}

/** Gives inputs that are references the rules of the references that they set. */
const asStored = (input: readonly Field[], fields: readonly Field[], set: NonNullable<Values['set']>): Field[] =>
  input.map((inputField) => {
    const isSet = ({ name }: Field): boolean => isDeepStrictEqual(set[name], { input: inputField.name });
    const field = inputField.type === 'reference' ? fields.find(isSet) : undefined;
    return inputField.type === 'reference' && field?.type === 'reference'
      ? { ...inputField, onDelete: field.onDelete }
      : inputField;
  });

/** Whether `set` or `input` of a transition is a mapping, or not there: other errors say the rest. */
function isWhole(file: CheckedFile, move: string, key: 'set' | 'input'): boolean {
  const written = valueAt(file.spec.data, ['transitions', move, key]);
  return written === undefined || isMapping(written);
}

const isUnused = ({ set }: Written, input: string): boolean =>
  snakeCase.safeParse(input).success && !Object.values(set).includes(`input.${input}`);

/** The name that a text most likely means: `until` of `$until`. */
const meantName = (text: unknown, names: readonly string[]): string | undefined =>
  names.find((name) => typeof text === 'string' && name === text.replaceAll(/[^a-z0-9_]/gi, ''));

/** Checks the fields of a body by themselves. */
function readInput(
  file: CheckedFile,
  fields: readonly Field[],
  move: Written,
  shared: ServiceValues | undefined,
): Field[] {
  const path = ['transitions', move.name, 'input'];
  const written = Object.entries(move.input);
  refuseProto(file, path, snakeCase);
  if (isMapping(valueAt(file.spec.data, path)) && written.length === 0) {
    file.atValue(path, `${move.name}: an input needs at least one field; without one, leave input out`);
  }
  if (written.length > maxFields) file.atValue(path, `${move.name}: an input can have at most ${maxFields} fields`);
  return written.slice(0, maxFields).flatMap(([name, field]) => {
    const at = [...path, name];
    if (isWhole(file, move.name, 'set') && isUnused(move, name)) {
      const target =
        Object.keys(move.set).find((set) => meantName(move.set[set], [name]) !== undefined) ??
        (fields.some((one) => one.name === name) ? name : '<field>');
      const words = `no field of the record takes the input ${name}; write set: { ${target}: input.${name} }`;
      file.atKey(at, `${move.name}: ${words}`);
    }
    for (const key of storedKeys.filter((storedKey) => isMapping(field) && storedKey in field)) {
      file.atKey([...at, key], `${name}: ${key} is a key of the field that the input sets; remove it here`);
    }
    return readFieldAt({ file, kind: 'record', name, path: at, shared }, field) ?? [];
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
  if (!Object.hasOwn(written, name) && isWhole(file, transition, 'input')) {
    const hint = nearName(name, Object.keys(written));
    const remedy = hint || `; write it below input, or { value: input.${name} } if this is the text`;
    file.atValue(path, `${transition} has no input ${quoted(name)}${remedy}`);
  }
  const input = inputs.find((candidate) => candidate.name === name);
  if (!field || !input) return;
  const isNullable = input.nullable && !field.nullable;
  const why = misfit(input, field) ?? (isNullable ? 'is never null: write required: true at the input' : undefined);
  if (why !== undefined)
    file.atValue(path, `${transition}: the input ${name} does not fit ${field.name}, which ${why}`);
}

/** Why a transition cannot set a field to a value, to follow its name. @param states the fields that transitions move */
function faultOf(field: Field, value: SetValue, states: ReadonlySet<string>): string | undefined {
  if (states.has(field.name)) return 'which is a state: only `field` and `to` of a transition move it';
  if (field.computed !== undefined) return 'which is computed';
  if (field.always) return 'which every change sets';
  if (field.sequence) return 'which its sequence sets';
  if (field.immutable) return 'which cannot be immutable then; write read_only: true';
  if ('value' in value) {
    if (value.value === null) return field.nullable ? undefined : 'which is never null';
    return field.type === 'reference'
      ? `and no spec knows the ids of ${targetsOf(field)
          .map(({ resource }) => resource)
          .join(' or ')}: take it from an input`
      : undefined;
  }
  if ('input' in value) return undefined;
  if ('by' in value) return canHoldActor(field) ? undefined : `and ${actorWords}`;
  const fitting = { 'date-time': 'now', date: 'today' }[field.type as string];
  if (value.at === fitting) return undefined;
  const needed = value.at === 'now' ? 'date-time' : 'date';
  const isText = (field.type === 'text' && field.pattern === undefined) || field.type === 'enum';
  const text = isText ? `; { value: ${value.at} } is the text` : '';
  return `and ${value.at} needs { format: ${needed} }${fitting === undefined ? text : `; write ${fitting}`}`;
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
  for (const { field, to } of transitions) if (to !== undefined) reachable.get(field)?.add(to);
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
