import { isDeepStrictEqual } from 'node:util';
import { maxBodyBytes } from '../../runtime/kernel/model/limits.ts';
import type { BodyName, Kind } from '../../runtime/kernel/model/operations.ts';
import type { Unique } from '../../runtime/kernel/model/table.ts';
import type { resourceKinds } from '../model/language.ts';
import { expandable, referencesOf, type Resource, shownReferences } from '../model/model.ts';
import { typeName } from '../model/names.ts';
import { isListed, takes } from '../model/operations.ts';
import { type Affected, breaking, type Difference, documented, safe, without } from './change.ts';
import { asNow, compareFields } from './fields.ts';
import { compareCounts } from './counts.ts';
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
  /** The pair of the resource that has a key now. */
  readonly pairOf: (key: string) => ResourcePair | undefined;
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
  if (is > was) {
    const expanded = [...expandable(before), ...shownReferences(before)];
    const isExpanded = expanded.length > 0 || before.parent?.table !== undefined || before.referrers.length > 0;
    if (!isExpanded || was > maxBodyBytes || is <= maxBodyBytes) return [safe('max_body/widened', what)];
    const message = `${what} ${code('expand')} shows no record of it, nor anything with one, as records over 1 MiB are read one by one.`;
    return [breaking('max_body/unexpanded', ['readers', 'typed clients'], message)];
  }
  const bodies = (Object.keys(sendersOf) as BodyName[]).filter((body) => takes(before, body) && takes(after, body));
  const senders = [...new Set(bodies.map((body) => sendersOf[body]))];
  const message = `${what} A larger one is refused with 413, and so is an update that leaves it larger.`;
  return [breaking('max_body/narrowed', senders, message)];
};

const namesOf = ({ operations, added = [] }: Resource): string[] => [...operations, ...added.map(({ name }) => name)];

const compareOperations: ResourceRule = ({ before, after }) => {
  if (before.kind !== after.kind) return [];
  const [former, latter] = [namesOf(before), namesOf(after)];
  return [
    ...without(former, latter).map((name) => {
      const message = `The operation ${code(name)} is removed: calls get 405, or 404 where its path is gone.`;
      return breaking(`operations/${name}/removed`, ['callers'], message);
    }),
    ...without(latter, former).map((name) => safe(`operations/${name}/added`, `The operation ${code(name)} is new.`)),
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
    const was = (before.unique ?? []).map((unique) => ({ ...unique, fields: unique.fields.map(fieldNow) }));
    const numbers = [...before.fields, ...after.fields].filter(({ sequence }) => sequence);
    const numbered = new Set(numbers.map(({ name }) => fieldNow(name)));
    // No client sends a number that could clash.
    const isSent = ({ fields }: Unique): boolean => fields.some((name) => !numbered.has(name));
    return compareUnique(was.filter(isSent), (after.unique ?? []).filter(isSent));
  },
  // Without a list operation there is nothing to filter: its removal is a change of its own.
  list: ({ before, after }) =>
    isListed(after) ? [...compareLists(before, after), ...compareCounts(before, after)] : [],
  form: ({ before, after }) => {
    const fieldNow = fieldNames(before, after);
    const was = before.form.map((group) => ({ ...group, fields: group.fields.map(fieldNow) }));
    const said = (form: Resource['form']): unknown => form.map((group) => ({ ...group, showIf: group.showIf?.text }));
    if (isDeepStrictEqual(said(was), said(after.form))) return [];
    return [safe('form/changed', 'The forms of the console have other groups of fields.')];
  },
  record_title: ({ before, after }) => {
    const fieldNow = fieldNames(before, after);
    const was = before.recordTitle.map((path) => path.replace(/^\w+/, fieldNow));
    if (isDeepStrictEqual(was, after.recordTitle)) return [];
    return [safe('record_title/changed', 'The console gives records other titles.')];
  },
  fields: ({ before, after, keyNow }) => compareFields(before, after, keyNow),
  rules: (compared) => {
    const { before, after } = compared;
    const movers: Affected[] = after.transitions.length > 0 ? ['callers'] : [];
    return compareRules(before.rules, after.rules, readableNames(compared), ['creators', 'updaters', ...movers]);
  },
  transitions: (compared) => {
    const { before, after, keyNow } = compared;
    if (before.kind !== after.kind) return [];
    const fieldNow = fieldNames(before, after);
    const was = before.transitions.map(({ requires, set, input, ...move }) => ({
      ...move,
      field: fieldNow(move.field),
      ...(requires && { requires: requires.map(fieldNow) }),
      ...(set && { set: Object.fromEntries(Object.entries(set).map(([name, value]) => [fieldNow(name), value])) }),
      ...(input && { input: input.map(asNow(keyNow)) }),
    }));
    return compareTransitions(was, after.transitions, readableNames(compared));
  },
  locked_in: ({ before, after }) => {
    const fieldNow = fieldNames(before, after);
    const was = before.lock && { ...before.lock, except: before.lock.except?.map(fieldNow) ?? [] };
    return compareLocks(was, after.lock);
  },
  // Its operations, its field and the filter by it are compared as all others are.
  archive: ({ before, after }) => {
    if (before.archive === after.archive) return [];
    const message = after.archive
      ? `Records can be archived: lists leave these out unless they say ${code('archived=any')} or ${code('archived=true')}.`
      : `Records can no longer be archived: lists have no parameter ${code('archived')}. A start with archived records is refused.`;
    return after.archive ? [safe('archive/added', message)] : [breaking('archive/removed', ['callers'], message)];
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

/** The current names of the fields that rules of the base read: own ones, and those of records that references name. */
function readableNames({ before, after, pairOf }: ComparedResource): (name: string, reference?: string) => string {
  const fieldNow = fieldNames(before, after);
  return (name, reference) => {
    if (reference === undefined) return fieldNow(name);
    const field = referencesOf(after).find((one) => one.name === fieldNow(reference));
    const other = field && pairOf(field.resource);
    return other ? fieldNames(other.before, other.after)(name) : name;
  };
}
