import { valueAt } from '../../runtime/kernel/model/validate.ts';
import { recordRules } from '../model/language.ts';
import type { Field, Move, Resource } from '../model/model.ts';
import { listed } from '../model/names.ts';
import { namedField } from './field.ts';
import { brokenRules, type CheckedFile } from './structure.ts';
import { checkState } from './transitions.ts';

/** The keys of a resource about its states. */
interface WrittenStates {
  readonly locked_in?: readonly string[] | undefined;
  readonly except?: readonly string[] | undefined;
  readonly states?: 'closed' | undefined;
}

/** Checks the rules of the states of a record. @returns its lock, and its fields: those of closed states are read-only */
export function readStates(
  file: CheckedFile,
  fields: readonly Field[],
  transitions: readonly Move[],
  written: WrittenStates = {},
): { readonly lock: Resource['lock']; readonly fields: readonly Field[] } {
  const broken = brokenRules(recordRules, { ...written, transitions: valueAt(file.spec.data, ['transitions']) });
  for (const { key, words } of broken) file.atKey([key], words);
  const lock = readLock(file, fields, transitions, written);
  if (written.states === undefined) return { lock, fields };
  const moved = new Set(transitions.map(({ field }) => field));
  const closed = fields.map((field) => {
    const { name, default: start } = field;
    if (!moved.has(name)) return field;
    const message = `${name}: with states: closed, no create sends it: give it the default that records begin with`;
    if (start === null) file.atKey(['fields', name], message);
    return { ...field, readOnly: true };
  });
  return { lock, fields: closed };
}

/** Checks the states in which a record is locked: those of the one field that its transitions move, or of `status`. */
function readLock(
  file: CheckedFile,
  fields: readonly Field[],
  transitions: readonly Move[],
  { locked_in: states, except }: WrittenStates,
): Resource['lock'] {
  if (!states) return undefined;
  const moved = [...new Set(transitions.map(({ field }) => field))];
  const name = moved.length === 1 || !moved.includes('status') ? moved[0] : 'status';
  if (name === undefined) return undefined;
  if (moved.length > 1 && name !== 'status') {
    file.atKey(['locked_in'], `locked_in names states of status, but the transitions move ${listed(moved)}`);
  }
  const state = fields.find((field) => field.name === name);
  file.checkRepeats(['locked_in'], states);
  states.forEach((value, index) => {
    if (state) checkState(file, 'locked_in', state, value, ['locked_in', index]);
  });
  file.checkRepeats(['except'], except ?? []);
  except?.forEach((exception, index) => {
    const path = ['except', index];
    if (exception === name)
      file.atValue(path, `except: ${exception} is the state, which only transitions move in a locked record`);
    else namedField(file, fields, exception, path);
  });
  return { field: name, states, ...(except && { except }) };
}
