import { isDeepStrictEqual } from 'node:util';
import type { Value } from '../../runtime/model/fields.ts';
import { valueAt } from '../../runtime/model/validate.ts';
import { kebabCase, kindFields, serviceSchema, snakeCase, type WrittenService } from '../model/language.ts';
import { type Items, itemsKey, type Resource, segmentOf, type Service } from '../model/model.ts';
import {
  camelCase,
  capitalize,
  clientTypeNames,
  kebabCaseOf,
  keyOperationId,
  pascalCase,
  pluralOf,
  sharedSchemaNames,
  sharedTag,
} from '../model/names.ts';
import { isListed } from '../model/operations.ts';
import { parse, type SpecFile } from '../read/parse.ts';
import { folders, keyOf, pathInSpec, serviceFile, specFile } from '../read/paths.ts';
import { firstService } from '../model/template.ts';
import { byLocation, compare, type Diagnostic, isError } from '../read/diagnostic.ts';
import { checkAreas } from './client.ts';
import { readResource, type ReadResource } from './resource.ts';
import type { Constants } from './field.ts';
import { Hints } from './hints.ts';
import { twins } from './path.ts';
import { quoted } from '../read/words.ts';
import { checkUseless } from './useless.ts';
import { checkFormerNames, CheckedFile, inspect, refuseProto } from './structure.ts';

/** The place and severity of an error in a file as a whole. */
const atStart = { line: 1, column: 1, endColumn: 2, severity: 'error' } as const;

/** The names of types that a resource takes in the OpenAPI document and in the typed client. */
const typeNames = ({ name }: Resource): string[] =>
  ['', 'Create', 'Update', 'List', 'Filter', 'Sort', 'Expand'].map((suffix) => pascalCase(name) + suffix);

/** Keeps the parsed files for the next run, in which most files are the same. */
export class Reader {
  readonly #parsed = new Map<string, { readonly text: string; readonly parsed: ReturnType<typeof parse> }>();
  readonly #read = new WeakMap<SpecFile, ReadResource & { readonly constants: Constants }>();

  /** Does the same as the function `parse`. */
  parse(path: string, text: string): ReturnType<typeof parse> {
    const kept = this.#parsed.get(path);
    if (kept?.text === text) return kept.parsed;
    const parsed = parse(path, text);
    this.#parsed.set(path, { text, parsed });
    return parsed;
  }

  /** Does the same as the function `readResource`. */
  readResource(spec: SpecFile, constants: Constants, hints: Hints): ReadResource {
    const kept = this.#read.get(spec);
    const isSame = kept !== undefined && isDeepStrictEqual(kept.constants, constants);
    const read = isSame ? kept : { ...readResource(spec, constants, hints), constants };
    this.#read.set(spec, read);
    // Checks that look at several files add diagnostics to it.
    return { file: read.file.copy(), resource: read.resource };
  }
}

/**
 * Reads and checks all files of a spec.
 *
 * @param specs texts by path, like `spec/crm/lead.yaml`
 * @returns the service, or every diagnostic of every file, in order
 */
export function readService(
  specs: ReadonlyMap<string, string>,
  reader = new Reader(),
): { service?: Service; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const files: SpecFile[] = [];
  for (const [path, text] of [...specs].toSorted(([a], [b]) => compare(a, b))) {
    const parsed = reader.parse(path, text);
    for (const diagnostic of parsed.diagnostics) diagnostics.push(diagnostic);
    if (parsed.file) files.push(parsed.file);
  }
  const hints = new Hints();
  const shared = readShared(files, specs, diagnostics, hints);
  const constants = readConstants(files.find(({ path }) => path === serviceFile()));
  const own = files.filter(({ path }) => path !== serviceFile() && !isMisnamedService(path));
  const others = twins(own.map(({ path }) => path));
  for (const [path, other] of others) {
    diagnostics.push({
      file: path,
      ...atStart,
      message: `${other} is a file of the same resource; remove one of them`,
    });
  }
  const read = own.filter(({ path }) => !others.has(path)).map((file) => reader.readResource(file, constants, hints));
  checkTogether(read, [...specs.keys()]);
  for (const { file } of read) for (const diagnostic of file.diagnostics) diagnostics.push(diagnostic);
  diagnostics.sort(byLocation);
  if (diagnostics.some(isError) || !shared) return { diagnostics };
  const resources = related(read.flatMap(({ resource }) => resource ?? [])).toSorted((a, b) => compare(a.key, b.key));
  const { name, title, doc, version, license, contact, areas = {}, accepted_breaks: acceptedBreaks = {} } = shared;
  const about = { name, title, doc, version, license, contact: contact as Service['contact'], areas };
  return { service: { ...about, acceptedBreaks, resources }, diagnostics };
}

/** Whether a path is meant for spec/service.yaml: `spec/service.yml`, say. */
const isMisnamedService = (path: string): boolean =>
  path !== serviceFile() && /^service\.ya?ml$/i.test(pathInSpec(path));

/** Links the resources: parents and their items. */
function related(resources: readonly Resource[]): Resource[] {
  const names = new Map(resources.map(({ key, name }) => [key, name]));
  const plurals = pluralTypes(resources);
  return resources.map((resource) => {
    const { key, parent } = resource;
    return {
      ...resource,
      pluralType: plurals.get(key) ?? pascalCase(resource.name),
      parent: parent && { ...parent, table: names.get(parent.resource ?? '') },
      items: itemsOf(key, resources),
    };
  });
}

/** The plurals of the types of resources, by their keys; of one that another resource takes, the type itself. */
function pluralTypes(resources: readonly Resource[]): ReadonlyMap<string, string> {
  const plurals = resources.map(({ key, title, plural, name }) => {
    // A title in other words says nothing about the name.
    const isNamed = kebabCaseOf(title) === name.replaceAll('_', '-');
    const words = (isNamed && kebabCaseOf(plural)) || pluralOf(name);
    return { key, type: pascalCase(name), plural: pascalCase(words.replaceAll('-', '_')) };
  });
  const owners = new Map<string, Set<string>>();
  for (const { key, type, plural } of plurals) {
    for (const name of [type, plural]) owners.set(name, (owners.get(name) ?? new Set()).add(key));
  }
  return new Map(plurals.map(({ key, type, plural }) => [key, owners.get(plural)?.size === 1 ? plural : type]));
}

const itemsOf = (key: string, resources: readonly Resource[]): Items[] =>
  resources
    .filter(({ parent }) => parent?.resource === key)
    .map((item) => ({ key: item.key, segment: segmentOf(item), name: item.name, isListed: isListed(item) }));

function readShared(
  files: readonly SpecFile[],
  specs: ReadonlyMap<string, string>,
  diagnostics: Diagnostic[],
  hints: Hints,
): WrittenService | undefined {
  const misnamed = [...specs.keys()].filter(isMisnamedService);
  for (const path of misnamed) {
    const message = specs.has(serviceFile())
      ? `${serviceFile()} is there too; remove one of them`
      : `rename it to ${serviceFile()}`;
    diagnostics.push({ file: path, ...atStart, message: `the path must be ${serviceFile()}; ${message}` });
  }
  const spec = files.find(({ path }) => path === serviceFile());
  if (!spec) {
    if (!specs.has(serviceFile()) && misnamed.length === 0) {
      const where = specs.size === 0 ? `run this in the folder that has ${folders.spec}/, or write it; ` : '';
      const message = `the file is missing; ${where}it holds what all resources share, like this:`;
      diagnostics.push({ file: serviceFile(), ...atStart, message, template: firstService('my-service').trimEnd() });
    }
    return undefined;
  }
  const file = new CheckedFile(spec, hints);
  const shared = inspect(file, serviceSchema, [], { name: kebabCaseOf(String(valueAt(spec.data, ['title']) ?? '')) });
  refuseProto(file, ['constants'], snakeCase);
  refuseProto(file, ['areas'], kebabCase);
  const known = [...specs.keys()]
    .filter((path) => path !== serviceFile())
    .map((path) => keyOf(path).split('/')[0] ?? '');
  for (const area of Object.keys(shared?.areas ?? {})) {
    if (known.includes(area)) continue;
    const message = `there is no area ${quoted(area)}: no resource is in ${folders.spec}/${area}/`;
    file.atKey(['areas', area], `${message}${file.didYouMean(area, known)}`);
  }
  if (specs.size === 1 && !file.hasErrors)
    file.atValue([], `there is no resource; describe the first one in ${specFile('<area>/<resource>')}`);
  for (const diagnostic of file.diagnostics) diagnostics.push(diagnostic);
  return shared;
}

/** The constants, also of a file with errors: a wrong constant is not a missing one. */
function readConstants(file: SpecFile | undefined): Constants {
  if (!file) return undefined;
  const written = valueAt(file.data, ['constants']) ?? {};
  const isConstant = (value: unknown): value is Value => ['string', 'number', 'boolean'].includes(typeof value);
  return new Map(Object.entries(written).map(([name, value]) => [name, isConstant(value) ? value : undefined]));
}

/** Checks across files: names that collide, parents that do not exist. */
function checkTogether(read: readonly ReadResource[], paths: readonly string[]): void {
  const owners = new Map<string, string>([
    ...sharedSchemaNames.map((name) => [name, 'the OpenAPI document'] as const),
    ...clientTypeNames.map((name) => [name, 'the typed client'] as const),
  ]);
  const tables = new Map<string, string>();
  for (const { file, resource } of read) {
    if (!resource) continue;
    const path = valueAt(file.spec.data, ['name']) === undefined ? [] : ['name'];
    const sameTable = tables.get(resource.name);
    if (sameTable !== undefined) {
      file.atValue(path, `the name ${resource.name} is taken by ${sameTable}; choose another \`name\``);
      continue;
    }
    tables.set(resource.name, resource.source);
    for (const name of typeNames(resource)) {
      const owner = owners.get(name);
      const message = `the name gives the type ${name}, which is taken by ${owner}; choose another \`name\``;
      if (owner !== undefined) file.atValue(path, message);
      owners.set(name, resource.source);
    }
  }
  const renamed = read.flatMap(({ file, resource }) =>
    resource ? [{ file, path: [], label: resource.source, renamedFrom: resource.renamedFrom }] : [],
  );
  checkFormerNames(renamed, (name) => tables.get(name));
  checkUseless(read);
  checkItems(read);
  checkTitles(read);
  checkOperationIds(read);
  checkAreas(read);
  for (const { file, resource } of read) {
    const key = resource?.parent?.resource;
    if (key === undefined) continue;
    if (!paths.includes(specFile(key))) {
      const known = paths.map(keyOf);
      file.atValue(
        ['parent', 'resource'],
        `there is no resource ${key}: ${specFile(key)} is missing${file.didYouMean(key, known)}`,
      );
    } else if (read.some((other) => other.resource?.key === key && other.resource.kind === 'line-item')) {
      file.atValue(['parent', 'resource'], `${key} is a line item, and a line item cannot be a parent`);
    }
  }
}

/** Checks that the key of line items in their parent, as `expand` shows them, is free. */
function checkItems(read: readonly ReadResource[]): void {
  const owners = new Map<string, string>();
  for (const { file, resource } of read) {
    const parent = read.find((other) => other.resource?.key === resource?.parent?.resource)?.resource;
    if (!resource || !parent) continue;
    const key = itemsKey(segmentOf(resource));
    const isField = [...kindFields[parent.kind], ...parent.fields.map(({ name }) => name)].includes(key);
    const place = `${parent.key}/${key}`;
    const owner = isField ? `a field of ${parent.key}` : owners.get(place);
    owners.set(place, resource.key);
    if (owner === undefined) continue;
    const message = `the key ${key}, under which \`expand\` shows these line items, is taken by ${owner}; rename one of them`;
    file.atValue(['parent', 'resource'], message);
  }
}

/** Checks that titles are unique: each is a section of the OpenAPI document. */
function checkTitles(read: readonly ReadResource[]): void {
  const shared = { name: '', source: 'the OpenAPI document' };
  const owners = new Map<string, Pick<Resource, 'name' | 'source'>>([[sharedTag, shared]]);
  for (const { file, resource } of read) {
    if (!resource) continue;
    const title = capitalize(resource.title);
    const owner = owners.get(title);
    const path = valueAt(file.spec.data, ['title']) === undefined ? [] : ['title'];
    const message = `the title ${resource.title} is taken by ${owner?.source}; choose another \`title\``;
    // A name that is taken is an error of its own.
    if (owner && owner.name !== resource.name) file.atValue(path, message);
    owners.set(title, resource);
  }
}

/** Checks that operation ids are unique: typed clients call operations by them. */
function checkOperationIds(read: readonly ReadResource[]): void {
  const owners = new Map<string, string>([[keyOperationId, 'the OpenAPI document']]);
  const plurals = pluralTypes(read.flatMap(({ resource }) => resource ?? []));
  for (const { resource } of read) {
    const type = pascalCase(resource?.name ?? '');
    const plural = plurals.get(resource?.key ?? '') ?? type;
    for (const operation of resource?.operations ?? []) {
      for (const name of [type, plural]) owners.set(operation + name, resource?.source ?? '');
    }
  }
  for (const { file, resource } of read) {
    for (const { name } of resource?.transitions ?? []) {
      const id = camelCase(name) + pascalCase(resource?.name ?? '');
      const owner = owners.get(id);
      const message = `${name} gives the operation id ${id}, which is taken by ${owner}; choose another name`;
      if (owner !== undefined) file.atKey(['transitions', name], message);
      owners.set(id, owner ?? name);
    }
  }
}
