import { valueAt } from '../../runtime/model/validate.ts';
import type { Transition } from '../../runtime/model/operations.ts';
import { fieldTypeRow, isValueOf } from '../model/field-types.ts';
import { isMapping } from '../emit/json.ts';
import { maxTransitions, reservedTransitionNames } from '../model/language.ts';
import type { Field } from '../model/model.ts';
import { oneOfWords, quoted } from '../read/words.ts';
import { namedField } from './field.ts';
import type { CheckedFile } from './structure.ts';
import { nearName } from './hints.ts';

/** A transition as far as its values have the right types: so much of it is checked further. */
interface Move {
  readonly name: string;
  readonly field: string;
  readonly from: string | readonly string[] | undefined;
  readonly to: string | undefined;
  readonly requires: readonly string[];
  readonly set: Readonly<Record<string, unknown>>;
}

/** The transitions of a file, also of one with errors. */
export function movesIn(data: Readonly<Record<string, unknown>>): Move[] {
  const written = valueAt(data, ['transitions']);
  const isText = (value: unknown): value is string => typeof value === 'string';
  const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
  return Object.entries(isMapping(written) ? written : {}).flatMap(([name, value]) => {
    if (!isMapping(value)) return [];
    const { field = 'status', from, to, requires, set } = value;
    if (!isText(field)) return [];
    return {
      name,
      field,
      from: isText(from) || isTexts(from) ? from : undefined,
      to: isText(to) ? to : undefined,
      requires: isTexts(requires) ? requires : [],
      set: isMapping(set) ? set : {},
    };
  });
}

/** Checks transitions. @returns those that are whole */
export function readTransitions(
  file: CheckedFile,
  fields: readonly Field[],
  moves: readonly Move[],
  timeZone = 'UTC',
): Transition[] {
  if (moves.length > maxTransitions) {
    file.atValue(['transitions'], `a resource can have at most ${maxTransitions} transitions`);
  }
  return moves.slice(0, maxTransitions).flatMap((move) => {
    const { name, field, from, to } = move;
    const path = ['transitions', name];
    const states = [from ?? []].flat();
    if (reservedTransitionNames.includes(name)) {
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
      file.atValue([...path, 'to'], `${name} moves from ${quoted(to)} to itself`);
    }
    const requires = readRequired(file, fields, move);
    const set = readSet(file, fields, move, timeZone);
    if (from === undefined || to === undefined) return [];
    return { name, field, from: states, to, ...(requires.length > 0 && { requires }), ...(set && { set }) };
  });
}

/** Checks the fields that must have a value. */
function readRequired(file: CheckedFile, fields: readonly Field[], { name, requires }: Move): readonly string[] {
  const path = ['transitions', name, 'requires'];
  file.checkRepeats(path, requires, `${name}: `);
  requires.forEach((one, index) => {
    const field = namedField(file, fields, one, [...path, index]);
    if (field && !field.nullable) file.atValue([...path, index], `${name}: ${one} is never null; leave it out`);
  });
  return requires;
}

/** Characters of the longest actor. */
const actorLength = 100;

/** Checks the fields that a transition sets. */
function readSet(file: CheckedFile, fields: readonly Field[], move: Move, timeZone: string): Transition['set'] {
  const set: Record<string, NonNullable<Transition['set']>[string]> = {};
  for (const [one, value] of Object.entries(move.set)) {
    const path = ['transitions', move.name, 'set', one];
    const field = namedField(file, fields, one, path);
    const fault = field && faultOf(field, value, move);
    if (fault !== undefined) file.atKey(path, `${move.name} sets ${one}, ${fault}`);
    set[one] = value === 'actor' ? { by: 'actor' } : value === 'today' ? { at: 'today', timeZone } : { at: 'now' };
  }
  return Object.keys(set).length > 0 ? set : undefined;
}

/** Why a transition cannot set a field to a value, to follow its name. */
function faultOf(field: Field, value: unknown, move: Move): string | undefined {
  if (field.name === move.field) return 'which is the state that it moves';
  if (field.immutable) return 'which cannot be immutable then; write read_only: true';
  if (value === 'now') return field.type === 'date-time' ? undefined : 'and now needs { format: date-time }';
  if (value === 'today') return field.type === 'date' ? undefined : 'and today needs { format: date }';
  const isText =
    field.type === 'text' && field.pattern === undefined && (field.maxLength ?? actorLength) >= actorLength;
  return isText || value !== 'actor' ? undefined : `and actor needs a string of ${actorLength} characters`;
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
export function warnOfUnreachable(
  file: CheckedFile,
  fields: readonly Field[],
  transitions: readonly Transition[],
): void {
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
