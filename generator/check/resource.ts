import { z } from 'zod';
import { didYouMean } from '../../runtime/suggest.ts';
import { valueAt } from '../../runtime/schema/validate.ts';
import {
  kebabCase,
  type Kind,
  kindFields,
  kinds,
  maxFields,
  maxNameLength,
  type Operation,
  parentRules,
  resourceKinds,
  type WrittenTransition,
} from '../language.ts';
import { basePath, type Field, type Parent, type Resource, type Transition } from '../model.ts';
import { pluralOf } from '../names.ts';
import type { SpecFile } from '../parse.ts';
import { type Constants, isValueOf, readField } from './field.ts';
import { brokenRules, inspect, oneOfWords, refuseProto, Report } from './structure.ts';

const schemas = resourceKinds(z.unknown());

/** Units of `max_body`. */
const units: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2 };

/** A resource and the report of its file. */
export interface ReadResource {
  readonly report: Report;
  readonly resource: Resource | undefined;
}

/** Reads and checks what one resource file says by itself. */
export function readResource(file: SpecFile, constants: Constants): ReadResource {
  const report = new Report(file);
  const [, area = '', segment = ''] = /^spec\/(.+)\/([^/]+)\.yaml$/.exec(file.path) ?? [];
  if (![area, segment].every((part) => /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(part))) {
    report.atValue(
      [],
      `the path must be spec/<area>/<resource>.yaml in kebab-case letters and digits: it becomes the URL`,
    );
  }
  const kind = readKind(report);
  if (!kind) return { report, resource: undefined };

  const written = inspect(report, schemas[kind]);
  const fields = readFields(report, kind, constants);
  refuseProto(report, ['transitions'], kebabCase);
  // What is right by itself is checked further, also where something else is wrong.
  const moves = partOf(schemas.record, 'transitions', file) ?? {};
  const transitions = kind === 'record' ? readTransitions(report, fields, moves) : [];
  if (!written) return { report, resource: undefined };

  const name = written.name ?? segment.replaceAll('-', '_');
  const title = written.title ?? name.replaceAll('_', ' ');
  const operations = readOperations(report, kind, written.operations);
  const parent = 'parent' in written ? readParent(report, fields, written.parent) : undefined;
  if (!report.hasErrors) warnOfUnreachable(report, fields, transitions);
  checkName(report, name, 'name' in written && written.name !== undefined);
  if (report.hasErrors) return { report, resource: undefined };
  const resource: Resource = {
    kind,
    source: file.path,
    key: `${area}/${segment}`,
    path: `${basePath}/${area}/${segment}`,
    name,
    title,
    plural: written.plural ?? pluralOf(title),
    doc: written.doc,
    renamedFrom: [written.renamed_from ?? []].flat(),
    maxBody: bytesOf(written.max_body),
    operations,
    parent,
    fields,
    transitions,
  };
  return { report, resource };
}

/** One key of a file, where it keeps to its schema. */
function partOf<S extends z.ZodRawShape, K extends keyof S & string>(
  schema: z.ZodObject<S>,
  key: K,
  file: SpecFile,
): z.output<S[K]> | undefined {
  return (schema.shape[key] as z.ZodType).safeParse(valueAt(file.data, [key])).data as z.output<S[K]> | undefined;
}

function readKind(report: Report): Kind | undefined {
  const { data } = report.file;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    report.atValue([], 'the file must be a mapping that begins with kind: record, kind: line-item or kind: singleton');
    return undefined;
  }
  const kind = valueAt(data, ['kind']);
  if (typeof kind === 'string' && Object.hasOwn(kinds, kind)) return kind as Kind;
  const allowed = Object.keys(kinds);
  if (kind === undefined) {
    report.atValue([], `the key "kind" is missing; it must be ${oneOfWords(allowed)}`);
  } else {
    const hint = typeof kind === 'string' ? didYouMean(kind, allowed) : '';
    report.atValue(['kind'], `kind must be ${oneOfWords(allowed)}, not ${JSON.stringify(kind)}${hint}`);
  }
  return undefined;
}

function readFields(report: Report, kind: Kind, constants: Constants): Field[] {
  const written = valueAt(report.file.data, ['fields']);
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return [];
  const entries = Object.entries(written);
  if (entries.length === 0) report.atValue(['fields'], 'a resource needs at least one field');
  if (entries.length > maxFields) report.atValue(['fields'], `a resource can have at most ${maxFields} fields`);
  const fields = entries.flatMap(([name, field]) => readField(report, kind, name, field, constants) ?? []);
  checkFormerNames(report, kind, fields);
  return fields;
}

/** A column can be renamed once, from a name that no field has. */
function checkFormerNames(report: Report, kind: Kind, fields: readonly Field[]): void {
  const owners = new Map<string, string>();
  for (const { name, renamedFrom } of fields) {
    const isList = Array.isArray(valueAt(report.file.data, ['fields', name, 'renamed_from']));
    for (const [place, former] of renamedFrom.entries()) {
      const path = ['fields', name, 'renamed_from', ...(isList ? [place] : [])];
      const owner = owners.get(former);
      const isField = valueAt(report.file.data, ['fields', former]) !== undefined;
      if (isField || kindFields[kind].includes(former)) {
        report.atValue(path, `${name}: there is still a field ${former}`);
      } else if (owner !== undefined) {
        report.atValue(path, `${name}: ${owner} is renamed from ${former} too`);
      }
      owners.set(former, name);
    }
  }
}

function readOperations(report: Report, kind: Kind, written: readonly string[] | undefined): readonly Operation[] {
  written?.forEach((operation, place) => {
    if (written.indexOf(operation) < place)
      report.atValue(['operations', place], `operations names ${operation} twice`);
  });
  const reorder = written?.indexOf('reorder') ?? -1;
  if (reorder !== -1 && !written?.includes('list')) {
    const why = 'reorder answers the list, so list must be one of the operations too';
    report.atValue(['operations', reorder], why);
  }
  return written ? kinds[kind].filter((operation) => written.includes(operation)) : kinds[kind];
}

/** A field that another key of the spec names. */
function namedField(report: Report, fields: readonly Field[], name: string, path: PropertyKey[]): Field | undefined {
  const field = fields.find((candidate) => candidate.name === name);
  // A field that is there and has problems of its own is not missing.
  if (field || valueAt(report.file.data, ['fields', name]) !== undefined) return field;
  const known = fields.map((candidate) => candidate.name);
  report.atValue(path, `there is no field ${JSON.stringify(name)}${didYouMean(name, known)}`);
  return undefined;
}

function readParent(
  report: Report,
  fields: readonly Field[],
  written: { field: string; resource?: string | undefined; type_field?: string | undefined },
): Parent {
  const { field, resource, type_field: typeField } = written;
  for (const [key, name] of [
    ['field', field],
    ['type_field', typeField],
  ] as const) {
    const found = name === undefined ? undefined : namedField(report, fields, name, ['parent', key]);
    if (found && (found.type !== 'text' || !found.required)) {
      report.atValue(
        ['parent', key],
        `${found.name} names the parent and must be a required string without format or enum`,
      );
    }
  }
  if (resource !== undefined && fields.some(({ name, required, nullable }) => name === field && required && nullable)) {
    report.atValue(['parent', 'field'], `${field} names a parent of this service and cannot be nullable`);
  }
  for (const { key, words } of brokenRules(parentRules, written)) report.atKey(['parent', key], words);
  if (typeField === field) report.atValue(['parent', 'type_field'], 'type_field must be another field than field');
  return { field, typeField, resource };
}

function readTransitions(
  report: Report,
  fields: readonly Field[],
  written: Readonly<Record<string, WrittenTransition>>,
): Transition[] {
  return Object.entries(written).map(([name, { field = 'status', from, to }]) => {
    const path = ['transitions', name];
    const states = typeof from === 'string' ? [from] : from;
    if (['create', 'retrieve', 'list', 'update', 'delete'].includes(name)) {
      report.atKey(path, `a transition cannot be called ${name}: that is an operation`);
    }
    const place = valueAt(report.file.data, [...path, 'field']) === undefined ? path : [...path, 'field'];
    const moved = namedField(report, fields, field, place);
    if (moved && moved.type !== 'text' && moved.type !== 'enum') {
      report.atValue(place, `${name} moves ${field}, which must be a string without format`);
    }
    const fromPath = (i: number): PropertyKey[] => [...path, 'from', ...(typeof from === 'string' ? [] : [i])];
    states.forEach((state, i) => {
      if (states.indexOf(state) < i)
        report.atValue(fromPath(i), `${name}: from has the state ${JSON.stringify(state)} twice`);
      if (moved) checkState(report, name, moved, state, fromPath(i));
    });
    if (moved) checkState(report, name, moved, to, [...path, 'to']);
    if (states.includes(to)) report.atValue([...path, 'to'], `${name} moves from ${JSON.stringify(to)} to itself`);
    return { name, field, from: states, to };
  });
}

/** A state is a value of the field that moves. */
function checkState(report: Report, transition: string, field: Field, state: string, path: PropertyKey[]): void {
  if (field.type === 'enum' && !field.values.includes(state)) {
    const hint = didYouMean(state, field.values) || `; it can be ${oneOfWords(field.values)}`;
    report.atValue(path, `${field.name} cannot be ${JSON.stringify(state)}${hint}`);
  } else if (field.type === 'text') {
    const rule = isValueOf(field, state).error?.issues[0];
    const subject = `${transition}: ${field.name} cannot be ${JSON.stringify(state)}`;
    if (rule) report.atValue(path, `${subject}: it ${rule.message}`);
  }
}

/** Warns of a state that a record can only be put into by hand: most often it is misspelt. */
function warnOfUnreachable(report: Report, fields: readonly Field[], transitions: readonly Transition[]): void {
  for (const { name, field, from } of transitions) {
    const start = fields.find((candidate) => candidate.name === field)?.default;
    const reachable = transitions.filter((other) => other.field === field).map(({ to }) => to);
    if (typeof start === 'string') reachable.unshift(start);
    from.forEach((state, place) => {
      if (reachable.includes(state)) return;
      const isList = Array.isArray(valueAt(report.file.data, ['transitions', name, 'from']));
      const path = ['transitions', name, 'from', ...(isList ? [place] : [])];
      const message = `${name}: ${JSON.stringify(state)} is neither the default of ${field} nor the target of a transition`;
      report.warnAtValue(path, message + didYouMean(state, reachable));
    });
  }
}

function checkName(report: Report, name: string, isWritten: boolean): void {
  const add = (message: string): void => (isWritten ? report.atValue(['name'], message) : report.atValue([], message));
  if (name.length > maxNameLength)
    add(`the name ${name} is longer than the ${maxNameLength} characters that tables and their indexes allow`);
  if (name.startsWith('sqlite_')) add('the name must not begin with sqlite_, which SQLite keeps for itself');
}

function bytesOf(size: number | string | undefined): number | undefined {
  if (typeof size !== 'string') return size;
  const [amount, unit = ''] = size.split(' ');
  return Number(amount) * (units[unit] ?? 1);
}
