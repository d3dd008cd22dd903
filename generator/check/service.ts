import { maxBodyBytes, mayBeLarge } from '../../runtime/kernel/model/limits.ts';
import { valueAt } from '../../runtime/kernel/model/validate.ts';
import { kebabCase, serviceSchema, snakeCase, type WrittenService } from '../model/language.ts';
import {
  areaOf,
  type Field,
  type Items,
  type Move,
  type Parent,
  referencesOf,
  type Referrer,
  type Resource,
  segmentOf,
  type Service,
  type Target,
  targetsOf,
} from '../model/model.ts';
import {
  camelCase,
  capitalize,
  clientTypeNames,
  kebabCaseOf,
  eventOperationIds,
  inputName,
  keyOperationId,
  pascalCase,
  pluralOf,
  guideTagOf,
  guideTopics,
  sharedSchemaNames,
  sharedTag,
  typeName,
} from '../model/names.ts';
import { isListed } from '../model/operations.ts';
import { parse, type SpecFile } from '../read/parse.ts';
import { keepEqual, memoize } from '../model/memory.ts';
import { folders, hooksKeyOf, isHooksFile, pathInSpec, resourceKeyOf, serviceFile, specFile } from '../read/paths.ts';
import { readHooksFile } from '../read/hooks-file.ts';
import { firstService } from '../model/template.ts';
import { byLocation, compare, type Diagnostic, isError } from '../read/diagnostic.ts';
import { readComputed } from './computed.ts';
import { checkCopies, sourceOf } from './copies.ts';
import { checkCreatable } from './creatable.ts';
import { checkRecordTitles } from './form.ts';
import { checkHooks, hooksOf } from './hooks.ts';
import { checkExpanded, checkReferences } from './references.ts';
import { readRules } from './rules.ts';
import { ResourceNames } from './resource-names.ts';
import { readResource, type ReadResource } from './resource.ts';
import { nearName } from './hints.ts';
import { checkEnum, readServiceValues } from './service-values.ts';
import { quoted } from '../read/words.ts';
import { checkUniqueNames } from './unique.ts';
import { checkUseless } from './useless.ts';
import { checkFormerNames, CheckedFile, inspect, refuseProto } from './structure.ts';

/** The place and severity of an error in a file as a whole. */
const atStart = { line: 1, column: 1, endColumn: 2, severity: 'error' } as const;

/** The names of types that a resource takes in the OpenAPI document and in the typed client. */
const typeNames = ({ name, transitions }: Resource): string[] => [
  typeName(name),
  ...['Create', 'Update', 'List', 'Filter', 'Sort', 'Expand'].map((suffix) => pascalCase(name) + suffix),
  ...transitions.filter(({ input }) => input).map((transition) => inputName({ name }, transition)),
];

/**
 * Reads and checks all files of a spec.
 *
 * @param all texts by path, like `spec/crm/lead.yaml`
 * @returns the service, or every diagnostic of every file, in order
 */
export function readService(all: ReadonlyMap<string, string>): { service?: Service; diagnostics: Diagnostic[] } {
  const hooks = [...all].filter(([path]) => isHooksFile(path)).map(([path, text]) => readHooksFile(path, text));
  const specs = new Map([...all].filter(([path]) => !isHooksFile(path)));
  const parsed = [...specs]
    .toSorted(([a], [b]) => compare(a, b))
    .map(([path, text]) => parseOnce(keepText({ path, text })));
  const files = parsed.flatMap(({ file }) => file ?? []);
  const about = readShared(files, specs);
  const values = readServiceValues(files.find(({ path }) => path === serviceFile()));
  const resourceFiles = files.filter(({ path }) => path !== serviceFile() && !isMisnamedService(path));
  const names = new ResourceNames(resourceFiles);
  const read = resourceFiles.map((file) => readResource(file, names, values));
  checkTogether(read, [...specs.keys()]);
  const computed = readComputed(read, [...specs.keys()], values?.timeZone);
  const rules = readRules(read, values?.timeZone);
  const keys = [...specs.keys()].filter((path) => path !== serviceFile()).map(resourceKeyOf);
  const ofHooks = hooks.flatMap((file) => {
    const owner = read.find(({ resource }) => resource?.key === hooksKeyOf(file.path));
    return [...file.diagnostics, ...checkHooks(file, keys, owner?.file.hasErrors ? undefined : owner?.resource)];
  });
  const inSpecs = [...parsed, about, ...read.map(({ file }) => file)].flatMap((part) => part.diagnostics);
  const diagnostics = [...inSpecs, ...ofHooks].toSorted(byLocation);
  const { shared } = about;
  if (diagnostics.some(isError) || !shared) return { diagnostics };
  const hooksByKey = new Map(hooks.map((file) => [hooksKeyOf(file.path), hooksOf(file)]));
  const withHooks = read.flatMap(({ resource }) => {
    const ofResource = hooksByKey.get(resource?.key ?? '');
    return resource ? [{ ...resource, ...(ofResource && { hooks: ofResource }) }] : [];
  });
  const resources = related(withHooks, computed, rules).toSorted((a, b) => compare(a.key, b.key));
  const { name, title, doc, version, license, contact, areas = {}, mcp, accepted_breaks: acceptedBreaks = {} } = shared;
  const described = { name, title, doc, version, license, contact: contact as Service['contact'], areas };
  return { service: { ...described, mcp: mcp !== 'off', acceptedBreaks, resources }, diagnostics };
}

const keepText = keepEqual<{ path: string; text: string }>(({ path }) => path);
const parseOnce = memoize(({ path, text }: { path: string; text: string }) => parse(path, text));

/** Whether a path is meant for spec/service.yaml: `spec/service.yml`, say. */
const isMisnamedService = (path: string): boolean =>
  path !== serviceFile() && /^service\.ya?ml$/i.test(pathInSpec(path));

/** Links the resources: parents and their items, references and what they name. */
function related(
  resources: readonly Resource[],
  computed: ReturnType<typeof readComputed>,
  rules: ReturnType<typeof readRules>,
): Resource[] {
  const byKey = new Map(resources.map((resource) => [resource.key, resource]));
  const plurals = pluralTypes(resources);
  return resources.map((resource) => {
    const { key, parent, fields, transitions } = resource;
    const withTable = (field: Field): Field => ({
      ...field,
      ...(field.type === 'reference' && named(resource, field, byKey)),
      ...(field.defaultFrom !== undefined && { copies: sourceOf(resource, field.defaultFrom, byKey) }),
    });
    return {
      ...resource,
      fields: fields.map(withTable),
      transitions: transitions.map((move): Move => {
        const rule = rules.get(key)?.ofMoves.get(move.name);
        return { ...move, ...(move.input && { input: move.input.map(withTable) }), ...(rule && { rule }) };
      }),
      computed: computed.get(key) ?? [],
      rules: rules.get(key)?.rules ?? [],
      pluralType: plurals.get(key) ?? pascalCase(resource.name),
      parent: parent && linked(parent, byKey.get(parent.resource ?? '')),
      items: itemsOf(resource, resources),
      referrers: referrersOf(resource, resources),
    };
  });
}

/** The tables that a reference names, and whether `expand` shows their records. */
function named(
  resource: Resource,
  reference: Extract<Field, { type: 'reference' }>,
  byKey: ReadonlyMap<string, Resource>,
): Pick<Extract<Field, { type: 'reference' }>, 'table' | 'others' | 'isShown'> {
  const withTable = ({ resource: key }: Target): Target => ({ resource: key, table: byKey.get(key)?.name ?? '' });
  const all = [resource, ...targetsOf(reference).flatMap(({ resource: key }) => byKey.get(key) ?? [])];
  return {
    ...withTable(reference),
    others: reference.others.map(withTable),
    isShown: !all.some(isLarge),
  };
}

/** Whether records may be so long that a response shows them one by one: `expand` neither starts nor ends there. */
const isLarge = ({ maxBody = maxBodyBytes }: Resource): boolean => mayBeLarge({ maxBody });

const linked = (parent: Parent, resource: Resource | undefined): Parent => ({
  ...parent,
  table: resource?.name,
  canLock: resource !== undefined && (resource.lock !== undefined || resource.archive),
});

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

const referrersOf = (target: Resource, resources: readonly Resource[]): Referrer[] =>
  resources.flatMap((resource) =>
    referencesOf(resource)
      .filter((field) => targetsOf(field).some(({ resource: key }) => key === target.key))
      .map(({ name: field, onDelete, inverse }) => ({
        key: resource.key,
        field,
        onDelete,
        inverse: inverse === undefined ? undefined : { ...listed(resource, target, inverse), field },
      })),
  );

/** Records as another one shows them, with their name there. */
const listed = (resource: Resource, owner: Resource, segment: string): Items => {
  const isShown = isListed(resource) && !isLarge(resource) && !isLarge(owner);
  return { key: resource.key, segment, name: resource.name, isShown };
};

const itemsOf = (owner: Resource, resources: readonly Resource[]): Items[] =>
  resources.filter(({ parent }) => parent?.resource === owner.key).map((item) => listed(item, owner, segmentOf(item)));

/** Reads and checks what all resources share; `shared` is undefined if it is missing or wrong. */
function readShared(
  files: readonly SpecFile[],
  specs: ReadonlyMap<string, string>,
): { shared?: WrittenService | undefined; diagnostics: Diagnostic[] } {
  const misnamed = [...specs.keys()].filter(isMisnamedService);
  const todo = specs.has(serviceFile())
    ? `${serviceFile()} is there too; remove one of them`
    : `rename it to ${serviceFile()}`;
  const message = `the path must be ${serviceFile()}; ${todo}`;
  const diagnostics: Diagnostic[] = misnamed.map((file) => ({ file, ...atStart, message }));
  const spec = files.find(({ path }) => path === serviceFile());
  if (!spec) {
    if (!specs.has(serviceFile()) && misnamed.length === 0) {
      const where = specs.size === 0 ? `run this in the folder that has ${folders.spec}/, or write it; ` : '';
      const words = `the file is missing; ${where}it holds what all resources share, like this:`;
      const template = firstService('my-service').trimEnd();
      diagnostics.push({ file: serviceFile(), ...atStart, message: words, template });
    }
    return { diagnostics };
  }
  const file = new CheckedFile(spec);
  const shared = inspect(file, serviceSchema, [], { name: kebabCaseOf(String(valueAt(spec.data, ['title']) ?? '')) });
  refuseProto(file, ['constants'], snakeCase);
  refuseProto(file, ['enums'], snakeCase);
  for (const [name, values] of Object.entries(shared?.enums ?? {})) {
    checkEnum(file, ['enums', name], values, `${name}: `);
  }
  refuseProto(file, ['areas'], kebabCase);
  const areas = [...specs.keys()]
    .filter((path) => path !== serviceFile())
    .map((path) => resourceKeyOf(path).split('/')[0] ?? '');
  for (const area of Object.keys(shared?.areas ?? {})) {
    if (areas.includes(area)) continue;
    const words = `there is no area ${quoted(area)}: no resource is in ${folders.spec}/${area}/`;
    file.atKey(['areas', area], `${words}${nearName(area, areas)}`);
  }
  if (specs.size === 1 && !file.hasErrors)
    file.atValue([], `there is no resource; describe the first one in ${specFile('<area>/<resource>')}`);
  return { shared, diagnostics: [...diagnostics, ...file.diagnostics] };
}

/** Checks across files: names that collide, parents that do not exist. */
function checkTogether(read: readonly ReadResource[], paths: readonly string[]): void {
  const tables = new Map<string, string>();
  const types = new Map<string, string>([
    ...sharedSchemaNames.map((name) => [name, 'the OpenAPI document'] as const),
    ...clientTypeNames.map((name) => [name, 'the typed client'] as const),
  ]);
  // Each title is a section of the OpenAPI document.
  const titles = new Map([sharedTag, ...guideTopics.map(guideTagOf)].map((title) => [title, 'the OpenAPI document']));
  // In typed clients, `a-1` and `a1` are the same area.
  const areas = new Map([
    ['batch', 'the method for several writes at once'],
    ['events', 'the events of all resources'],
  ]);
  for (const { file, resource } of read) {
    if (!resource) continue;
    const { name, title, source } = resource;
    const checkFree = (key: 'name' | 'title', what: string, owner: string): void => {
      const path = valueAt(file.spec.data, [key]) === undefined ? [] : [key];
      if (owner !== source) file.atValue(path, `${what} is taken by ${owner}; choose another \`${key}\``);
    };
    const owner = tables.getOrInsert(name, source);
    checkFree('name', `the name ${name}`, owner);
    if (owner !== source) continue;
    for (const type of typeNames(resource)) {
      checkFree('name', `the name gives the type ${type}, which`, types.getOrInsert(type, source));
    }
    checkFree('title', `the title ${title}`, titles.getOrInsert(capitalize(title), source));
    const area = `the area ${areaOf(resource)}`;
    const called = camelCase(areaOf(resource));
    const other = areas.getOrInsert(called, area);
    const message = `${area} is called ${called} in typed clients, which is taken by ${other}; choose another folder`;
    if (other !== area) file.atValue([], message);
  }
  const renamed = read.flatMap(({ file, resource }) =>
    resource ? [{ file, path: [], label: resource.source, renamedFrom: resource.renamedFrom }] : [],
  );
  checkFormerNames(renamed, (name) => tables.get(name));
  checkUseless(read);
  checkExpanded(read);
  checkOperationIds(read);
  checkUniqueNames(read);
  checkReferences(read, paths);
  checkCopies(read, paths);
  checkRecordTitles(read);
  checkCreatable(read);
}

/** Checks that operation ids are unique: typed clients call operations by them. */
function checkOperationIds(read: readonly ReadResource[]): void {
  const owners = new Map<string, string>(
    [keyOperationId, ...eventOperationIds].map((id) => [id, 'the OpenAPI document']),
  );
  const plurals = pluralTypes(read.flatMap(({ resource }) => resource ?? []));
  for (const { resource } of read) {
    const type = pascalCase(resource?.name ?? '');
    const plural = plurals.get(resource?.key ?? '') ?? type;
    for (const operation of [...(resource?.operations ?? []), ...(resource?.added ?? []).map(({ name }) => name)]) {
      for (const name of [type, plural]) owners.set(operation + name, resource?.source ?? '');
    }
  }
  for (const { file, resource } of read) {
    for (const { name } of resource?.transitions ?? []) {
      const id = camelCase(name) + pascalCase(resource?.name ?? '');
      const transition = `${name} of ${resource?.source}`;
      const owner = owners.getOrInsert(id, transition);
      const message = `${name} gives the operation id ${id}, which is taken by ${owner}; choose another name`;
      if (owner !== transition) file.atKey(['transitions', name], message);
    }
  }
}
