import { maxBodyBytes } from '../../runtime/model/limits.ts';
import type { BodyName, Kind, OperationName } from '../../runtime/model/operations.ts';
import type { resourceKinds } from '../model/language.ts';
import { typeName } from '../model/names.ts';
import { isListed, takes } from '../model/operations.ts';
import { type Affected, breaking, type Difference, documented, safe } from './change.ts';
import { asNow, compareFields } from './fields.ts';
import { compareLists } from './lists.ts';
import { compareLocks } from './lock.ts';
import { code } from './markdown.ts';
import { pairFields, type ResourcePair } from './pairs.ts';
import { compareParents } from './parent.ts';
import { compareRules } from './rules.ts';
import { compareTransitions } from './transitions.ts';
import { compareUnique } from './unique.ts';

type KeyOf<K extends Kind> = K extends K ? keyof ReturnType<typeof resourceKinds>[K]['shape'] : never;

/** A key that a resource can be written with. */
type ResourceKey = KeyOf<Kind>;

/** The argument of a rule: a resource in two specs. */
interface ComparedResource extends ResourcePair {
  /** The current key of a resource of the base. */
  readonly keyNow: (key: string | undefined) => string | undefined;
}

/** Compares one key of a resource. */
type ResourceRule = (compared: ComparedResource) => readonly Difference[];

const text =
  (key: 'title' | 'doc', label: string): ResourceRule =>
  ({ before, after }) =>
    before[key] === after[key] ? [] : [documented(key, label)];

const comparePlurals: ResourceRule = ({ before, after }) => {
  // A new name changes all operation ids, and is a change of its own.
  const isRenamed = before.name !== after.name;
  // The title and the types of other resources decide too whether the plural is a name of operations.
  const hasOtherIds = before.pluralType !== after.pluralType && isListed(before) && isListed(after);
  if (!isRenamed && hasOtherIds) {
    const [was, is] = [code(`list${before.pluralType}`), code(`list${after.pluralType}`)];
    const message = `The plural in names of operations changes: in the document, the operation id ${was} becomes ${is}.`;
    return [breaking('plural/changed', ['typed clients'], message)];
  }
  return before.plural === after.plural ? [] : [documented('plural', 'The plural')];
};

const compareKinds: ResourceRule = ({ before, after }) => {
  if (before.kind === after.kind) return [];
  const message = `The kind is ${after.kind} instead of ${before.kind}: operations, paths and built-in fields change.`;
  return [breaking('kind/changed', ['readers', 'callers', 'links', 'typed clients'], message)];
};

const compareNames: ResourceRule = ({ before, after, sameTable }) => {
  if (before.name === after.name) return [];
  const [was, is] = [code(before.name), code(after.name)];
  if (!sameTable) {
    const message =
      `The name is ${is} instead of ${was}, without ${code('renamed_from')}: the resource starts without records, and ` +
      `ids of earlier ones respond 404. If it is the same resource, add ${code(`renamed_from: ${before.name}`)}.`;
    return [breaking('replaced', ['readers', 'links', 'typed clients'], message)];
  }
  const types = `${code(typeName(before.name))} become ${code(typeName(after.name))}`;
  const message =
    `${was} is now called ${is}. Requests and responses stay as they are; in the document, types and operation ids with ` +
    `${types}, so that generated clients must be updated. New ids begin with ${code(`${after.name}_`)}; existing ` +
    'records keep their ids, which are opaque.';
  return [breaking('renamed', ['typed clients'], message)];
};

/** The clients that send each body. */
const sendersOf: Readonly<Record<BodyName, Affected>> = {
  create: 'creators',
  update: 'updaters',
  reorder: 'callers',
  input: 'callers',
};

const compareMaxBody: ResourceRule = ({ before, after }) => {
  const [was, is] = [before.maxBody ?? maxBodyBytes, after.maxBody ?? maxBodyBytes];
  if (was === is) return [];
  const what = `The largest body and record is ${is} bytes instead of ${was}.`;
  if (is > was) return [safe('max_body/widened', what)];
  const bodies = (Object.keys(sendersOf) as BodyName[]).filter((body) => takes(before, body) && takes(after, body));
  const senders = [...new Set(bodies.map((body) => sendersOf[body]))];
  return [
    breaking(
      'max_body/narrowed',
      senders,
      `${what} A larger one is refused with 413, and so is an update that leaves it larger.`,
    ),
  ];
};

const compareOperations: ResourceRule = ({ before, after }) => {
  const missing = (from: readonly OperationName[], all: readonly OperationName[]) =>
    all.filter((name) => !from.includes(name));
  if (before.kind !== after.kind) return [];
  return [
    ...missing(after.operations, before.operations).map((name) => {
      const message = `The operation ${code(name)} is removed: calls get 405, or 404 where its path is gone.`;
      return breaking(`operations/${name}/removed`, ['callers'], message);
    }),
    ...missing(before.operations, after.operations).map((name) =>
      safe(`operations/${name}/added`, `The operation ${code(name)} is new.`),
    ),
  ];
};

/** The rule for each key of a resource. A new key of the language does not compile until it has a row here. */
export const resourceRules: Readonly<Record<ResourceKey, ResourceRule>> = {
  kind: compareKinds,
  name: compareNames,
  title: text('title', 'The title'),
  plural: comparePlurals,
  doc: text('doc', 'The documentation'),
  max_body: compareMaxBody,
  events: ({ before, after }) => {
    if (before.events === after.events) return [];
    if (after.events) return [safe('events/on', 'What is done to records is noted as events.')];
    const message = 'What is done to records is no longer noted: it has no events, and cannot be undone.';
    return [breaking('events/off', ['readers'], message)];
  },
  operations: compareOperations,
  parent: ({ before, after, keyNow }) => {
    if (!before.parent || !after.parent) return [];
    const { field, typeField, resource } = before.parent;
    const fieldNow = fieldNames(before, after);
    const was = { field: fieldNow(field), typeField: typeField && fieldNow(typeField), resource: keyNow(resource) };
    return compareParents(was, after.parent);
  },
  unique: ({ before, after }) => {
    if (before.kind !== after.kind) return [];
    const fieldNow = fieldNames(before, after);
    const was = (before.unique ?? []).map((one) => ({ ...one, fields: one.fields.map(fieldNow) }));
    return compareUnique(was, after.unique ?? []);
  },
  // Without a list operation there is nothing to filter: its removal is a change of its own.
  list: ({ before, after }) => (isListed(after) ? compareLists(before, after) : []),
  fields: ({ before, after, keyNow }) => compareFields(before, after, keyNow),
  rules: ({ before, after }) => {
    const movers: Affected[] = after.transitions.length > 0 ? ['callers'] : [];
    return compareRules(before.rules, after.rules, fieldNames(before, after), ['creators', 'updaters', ...movers]);
  },
  transitions: ({ before, after, keyNow }) => {
    if (before.kind !== after.kind) return [];
    const fieldNow = fieldNames(before, after);
    const was = before.transitions.map(({ requires, set, input, ...move }) => ({
      ...move,
      field: fieldNow(move.field),
      ...(requires && { requires: requires.map(fieldNow) }),
      ...(set && { set: Object.fromEntries(Object.entries(set).map(([name, value]) => [fieldNow(name), value])) }),
      ...(input && { input: input.map(asNow(keyNow)) }),
    }));
    return compareTransitions(was, after.transitions, fieldNow);
  },
  locked_in: ({ before, after }) => {
    const fieldNow = fieldNames(before, after);
    const was = before.lock && { ...before.lock, except: before.lock.except?.map(fieldNow) ?? [] };
    return compareLocks(was, after.lock);
  },
  // The rule of locked_in compares them.
  except: () => [],
  // The fields whose states are closed become read-only, and report it.
  states: () => [],
  // Former names decide which resources are a pair.
  renamed_from: () => [],
};

/** The current names of the fields of the base. */
function fieldNames(before: ResourcePair['before'], after: ResourcePair['after']): (name: string) => string {
  const names = new Map(pairFields(before, after).pairs.map((pair) => [pair.before.name, pair.after.name]));
  return (name) => names.get(name) ?? name;
}
