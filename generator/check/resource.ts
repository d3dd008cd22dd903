import { z } from 'zod';
import { valueAt } from '../../runtime/model/validate.ts';
import {
  type Kind,
  type OperationName,
  basePath,
  defaultOperations,
  kinds,
  operations,
  operationsOfKind,
} from '../../runtime/model/operations.ts';
import { fieldTypeRow } from '../model/field-types.ts';
import { isMapping } from '../emit/json.ts';
import {
  kebabCase,
  kindFields,
  maxFields,
  maxMaxBody,
  maxNameLength,
  parentRules,
  reservedResourceNames,
  resourceKinds,
  whyReserved,
} from '../model/language.ts';
import type { Field, Parent, Resource } from '../model/model.ts';
import { pascalCase, pluralOf } from '../model/names.ts';
import { whyList } from '../model/operations.ts';
import type { SpecFile } from '../read/parse.ts';
import { pathInSpec, specFile } from '../read/paths.ts';
import { oneOfWords, quoted } from '../read/words.ts';
import { namedField, readField } from './field.ts';
import { nearName, pathHint } from './hints.ts';
import { readList } from './list.ts';
import { brokenRules, CheckedFile, checkFormerNames, inspect, refuseProto } from './structure.ts';
import type { ServiceValues } from './service-values.ts';
import { readRules, scopeOf } from './rules.ts';
import { readStates } from './states.ts';
import { movesIn, readTransitions, warnOfUnreachable } from './transitions.ts';
import { readUnique } from './unique.ts';

const schemas = resourceKinds(z.unknown());

const stateSchema = schemas.record.pick({ locked_in: true, except: true, states: true }).strip();

/** Units of `max_body`. */
const units: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2 };

/** A resource, and the diagnostics of its file. */
export interface ReadResource {
  readonly file: CheckedFile;
  readonly resource: Resource | undefined;
}

/** Reads and checks one resource file by itself. */
export function readResource(spec: SpecFile, shared: ServiceValues | undefined): ReadResource {
  const file = new CheckedFile(spec);
  const [, area = '', segment = ''] = /^(.+)\/([^/]+)\.yaml$/.exec(pathInSpec(spec.path)) ?? [];
  if (![area, segment].every((part) => kebabCase.safeParse(part).success)) {
    const rule = `the path must be ${specFile('<area>/<resource>')} in kebab-case letters and digits: it becomes the URL`;
    file.atValue([], rule + pathHint(spec.path));
  }
  const { data } = spec;
  if (!isMapping(data)) {
    file.atValue([], 'the file must be a mapping that begins with kind: record, kind: line-item or kind: singleton');
    return { file, resource: undefined };
  }
  const { kind, isKnown } = readKind(file, data);
  // A kind that is wrong does not hide what else is.
  const written = inspect(file, isKnown ? schemas[kind] : schemas[kind].extend({ kind: z.unknown().optional() }));
  const declared = readFields(file, kind, shared);
  refuseProto(file, ['transitions'], kebabCase);
  const transitions = kind === 'record' ? readTransitions(file, declared, movesIn(data), shared) : [];
  const states = kind === 'record' ? stateSchema.safeParse(data).data : undefined;
  const { lock, fields } = readStates(file, declared, transitions, states);
  const list = readList(file, kind, fields, schemas.record.shape.list.safeParse(valueAt(data, ['list'])).data);
  const unique = readUnique(file, kind, fields, schemas.record.shape.unique.safeParse(valueAt(data, ['unique'])).data);
  const rules = readRules(file, fields, scopeOf(file, kind, fields, shared?.timeZone));
  if (!written) return { file, resource: undefined };

  const name = written.name ?? segment.replaceAll('-', '_');
  const title = written.title ?? name.replaceAll('_', ' ');
  const named = readOperations(file, kind, fields, written.operations);
  const parent = 'parent' in written ? readParent(file, fields, written.parent) : undefined;
  if (!file.hasErrors) warnOfUnreachable(file, fields, transitions);
  const maxBody = bytesOf(written.max_body);
  if (maxBody !== undefined && maxBody > maxMaxBody * 1024 ** 2) {
    file.atValue(['max_body'], `max_body can be at most ${maxMaxBody} MiB, which are ${maxMaxBody * 1024 ** 2} bytes`);
  }
  checkName(file, name, 'name' in written && written.name !== undefined);
  if (file.hasErrors) return { file, resource: undefined };
  const resource: Resource = {
    kind,
    source: spec.path,
    key: `${area}/${segment}`,
    path: `${basePath}/${area}/${segment}`,
    name,
    title,
    plural: written.plural ?? pluralOf(title),
    pluralType: pascalCase(name),
    doc: written.doc,
    renamedFrom: [written.renamed_from ?? []].flat(),
    maxBody,
    events: written.events === undefined ? (shared?.events ?? true) : written.events === 'on',
    operations: named,
    list,
    parent,
    unique,
    lock,
    fields,
    rules,
    computed: [],
    transitions,
    items: [],
    referrers: [],
  };
  return { file, resource };
}

/** The kind of a resource, or where it is wrong, the one that the rest of the file has most likely. */
function readKind(file: CheckedFile, data: Readonly<Record<string, unknown>>): { kind: Kind; isKnown: boolean } {
  const written = valueAt(data, ['kind']);
  const kind = kinds.find((name) => name === written);
  if (kind) return { kind, isKnown: true };
  let hint = '';
  if (written === undefined) {
    file.atValue([], `the key "kind" is missing; it must be ${oneOfWords(kinds)}`);
  } else {
    hint = typeof written === 'string' ? nearName(written, kinds) : '';
    file.atValue(['kind'], `kind must be ${oneOfWords(kinds)}, not ${quoted(written)}${hint}`);
  }
  const meant = kinds.find((name) => hint.endsWith(`${quoted(name)}?`));
  return { kind: meant ?? ('parent' in data ? 'line-item' : 'record'), isKnown: false };
}

function readFields(file: CheckedFile, kind: Kind, shared: ServiceValues | undefined): Field[] {
  const written = valueAt(file.spec.data, ['fields']);
  if (!isMapping(written)) return [];
  const entries = Object.entries(written);
  if (entries.length === 0) file.atValue(['fields'], 'a resource needs at least one field');
  if (entries.length > maxFields) file.atValue(['fields'], `a resource can have at most ${maxFields} fields`);
  const fields = entries
    .slice(0, maxFields)
    .flatMap(([name, field]) => readField(file, kind, name, field, shared) ?? []);
  const isUsed = (name: string): boolean => Object.hasOwn(written, name) || kindFields[kind].includes(name);
  const renamed = fields.map(({ name, renamedFrom }) => ({ file, path: ['fields', name], label: name, renamedFrom }));
  checkFormerNames(renamed, (former) => (isUsed(former) ? 'a field' : undefined));
  return fields;
}

function readOperations(
  file: CheckedFile,
  kind: Kind,
  fields: readonly Field[],
  written: readonly OperationName[] | undefined,
): OperationName[] {
  if (!written) return defaultOperations(kind);
  file.checkRepeats(['operations'], written);
  written.forEach((name, index) => {
    const why = written.includes('list') ? undefined : whyList(name);
    if (why !== undefined) file.atValue(['operations', index], why);
    for (const [field, format] of Object.entries(operations[name].needs ?? {})) {
      const found = fields.find((one) => one.name === field);
      // A field that has errors of its own is not missing.
      const isBroken = !found && valueAt(file.spec.data, ['fields', field]) !== undefined;
      if (isBroken || found?.type === format) continue;
      file.atValue(['operations', index], `${name} needs the field \`${field}: { format: ${format} }\``);
    }
  });
  return operationsOfKind(kind).filter((name) => written.includes(name));
}

function readParent(
  file: CheckedFile,
  fields: readonly Field[],
  written: { field: string; resource?: string | undefined; type_field?: string | undefined },
): Parent {
  const { field, resource, type_field: typeField } = written;
  for (const [key, name] of [
    ['field', field],
    ['type_field', typeField],
  ] as const) {
    const found = name === undefined ? undefined : namedField(file, fields, name, ['parent', key]);
    if (found && !(fieldTypeRow(found).canNameParent && found.required)) {
      file.atValue(
        ['parent', key],
        `${found.name} names the parent and must be a required string without format or enum`,
      );
    }
  }
  if (resource !== undefined && fields.some(({ name, required, nullable }) => name === field && required && nullable)) {
    file.atValue(['parent', 'field'], `${field} names a parent of this service and cannot be nullable`);
  }
  for (const { key, words } of brokenRules(parentRules, written)) file.atKey(['parent', key], words);
  if (typeField === field) file.atValue(['parent', 'type_field'], 'type_field and field must be different fields');
  return { field, typeField, resource, table: undefined, canLock: false };
}

function checkName(file: CheckedFile, name: string, isWritten: boolean): void {
  const add = (message: string): void => file.atValue(isWritten ? ['name'] : [], message);
  if (name.length > maxNameLength)
    add(`the name ${name} is longer than the ${maxNameLength} characters that tables and their indexes allow`);
  const reserved = whyReserved(reservedResourceNames, name);
  if (reserved !== undefined) add(`a resource cannot be called ${name}: ${reserved}; choose another \`name\``);
}

function bytesOf(size: number | string | undefined): number | undefined {
  if (typeof size !== 'string') return size;
  const [amount, unit = ''] = size.split(' ');
  return Number(amount) * (units[unit] ?? 1);
}
