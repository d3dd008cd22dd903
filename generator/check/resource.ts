import { z } from 'zod';
import { archiveOperations } from '../../runtime/features/archive/feature.ts';
import { valueAt } from '../../runtime/kernel/model/validate.ts';
import {
  type Kind,
  type OperationName,
  basePath,
  defaultOperations,
  kinds,
} from '../../runtime/kernel/model/operations.ts';
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
import { checkArchiveFilters, withArchive } from './archive.ts';
import { namedField, readField } from './field.ts';
import { checkColors, readForm } from './form.ts';
import { scopeOf } from './rules.ts';
import { nearName, pathHint } from './hints.ts';
import { readList } from './list.ts';
import { brokenRules, CheckedFile, checkFormerNames, inspect, refuseProto } from './structure.ts';
import type { ResourceNames } from './resource-names.ts';
import type { ServiceValues } from './service-values.ts';
import { readStates } from './states.ts';
import { movesIn, readTransitions, warnOfUnreachable } from './transitions.ts';
import { readUnique } from './unique.ts';

const schemas = resourceKinds(z.unknown());

/** Units of `max_body`. */
const units: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2 };

/** A resource, and the diagnostics of its file. */
export interface ReadResource {
  readonly file: CheckedFile;
  /** The parts without errors; undefined if the file is no mapping, or its path is wrong. */
  readonly resource: Resource | undefined;
}

/** The keys of a resource, each undefined where it has errors. */
type Keys = Partial<z.output<typeof schemas.record> & Pick<z.output<(typeof schemas)['line-item']>, 'parent'>>;

/** The keys of a file with errors that have none. */
const validKeys = (kind: Kind, data: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries<z.ZodType>(schemas[kind].shape).map(([key, schema]) => [
      key,
      schema.safeParse(valueAt(data, [key])).data,
    ]),
  );

/** Reads and checks one resource file by itself. */
export function readResource(spec: SpecFile, names: ResourceNames, shared: ServiceValues | undefined): ReadResource {
  const file = new CheckedFile(spec, names);
  const [, area = '', segment = ''] = /^(.+)\/([^/]+)\.yaml$/.exec(pathInSpec(spec.path)) ?? [];
  const hasKey = [area, segment].every((part) => kebabCase.safeParse(part).success);
  if (!hasKey) {
    const rule = `the path must be ${specFile('<area>/<resource>')} in kebab-case letters and digits: it becomes the URL`;
    file.atValue([], rule + pathHint(spec.path));
  }
  const { data } = spec;
  if (!isMapping(data)) {
    const forms = 'kind: record, kind: line-item or kind: singleton';
    return { file, resource: file.atValue([], `the file must be a mapping that begins with ${forms}`) };
  }
  const { kind, isKnown } = readKind(file, data);
  // A kind that is wrong does not hide what else is.
  const schema = isKnown ? schemas[kind] : schemas[kind].extend({ kind: z.unknown().optional() });
  const keys: Keys = (inspect(file, schema) ?? validKeys(kind, data)) as Keys;
  const declared = readFields(file, kind, shared);
  refuseProto(file, ['transitions'], kebabCase);
  const transitions = kind === 'record' ? readTransitions(file, declared, movesIn(data), shared) : [];
  const { lock, fields: ownFields } = readStates(file, declared, transitions, keys);
  const archive = kind === 'record' && keys.archive === true;
  const fields = archive ? withArchive(file, ownFields) : ownFields;
  const list = readList(file, kind, fields, keys.list, archive ? ['archived_at'] : []);
  if (archive) checkArchiveFilters(file, list.filter);
  const unique = readUnique(file, kind, fields, keys.unique);
  checkColors(file, fields, movesIn(data));
  const form = readForm(file, kind, fields, keys.form, scopeOf(file, kind, fields, shared?.timeZone));

  const name = keys.name ?? segment.replaceAll('-', '_');
  const title = keys.title ?? name.replaceAll('_', ' ');
  const operationNames = readOperations(file, kind, keys.operations);
  const parent = keys.parent && readParent(file, fields, keys.parent);
  const maxBody = bytesOf(keys.max_body);
  if (maxBody !== undefined && maxBody > maxMaxBody * 1024 ** 2) {
    file.atValue(['max_body'], `max_body can be at most ${maxMaxBody} MiB, which are ${maxMaxBody * 1024 ** 2} bytes`);
  }
  checkName(file, name, keys.name !== undefined);
  if (!file.hasErrors) warnOfUnreachable(file, fields, transitions);
  if (!hasKey) return { file, resource: undefined };
  const resource: Resource = {
    kind,
    source: spec.path,
    key: `${area}/${segment}`,
    path: `${basePath}/${area}/${segment}`,
    name,
    title,
    plural: keys.plural ?? pluralOf(title),
    pluralType: pascalCase(name),
    doc: keys.doc ?? '',
    renamedFrom: [keys.renamed_from ?? []].flat(),
    maxBody,
    events: keys.events === undefined ? (shared?.events ?? true) : keys.events === 'on',
    operations: operationNames,
    added: archive ? archiveOperations : undefined,
    list,
    parent,
    unique,
    lock,
    archive,
    fields,
    form,
    recordTitle: [keys.record_title ?? []].flat(),
    rules: [],
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
  const hint = typeof written === 'string' ? nearName(written, kinds) : '';
  if (written === undefined) file.atValue([], `the key "kind" is missing; it must be ${oneOfWords(kinds)}`);
  else file.atValue(['kind'], `kind must be ${oneOfWords(kinds)}, not ${quoted(written)}${hint}`);
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

function readOperations(file: CheckedFile, kind: Kind, written: readonly OperationName[] | undefined): OperationName[] {
  if (!written) return defaultOperations(kind);
  file.checkRepeats(['operations'], written);
  written.forEach((name, index) => {
    const why = written.includes('list') ? undefined : whyList(name);
    if (why !== undefined) file.atValue(['operations', index], why);
  });
  return defaultOperations(kind).filter((name) => written.includes(name));
}

function readParent(
  file: CheckedFile,
  fields: readonly Field[],
  written: { field: string; resource?: string | undefined; type_field?: string | undefined },
): Parent {
  const { field, resource, type_field: typeField } = written;
  for (const [key, name] of Object.entries({ field, type_field: typeField })) {
    const nameField = name === undefined ? undefined : namedField(file, fields, name, ['parent', key]);
    if (!nameField || (fieldTypeRow(nameField).canNameParent && nameField.required)) continue;
    file.atValue(['parent', key], `${name} names the parent and must be a required string without format or enum`);
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
