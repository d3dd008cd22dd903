import type { Logic } from '../../../features/rules/expressions/logic.ts';
import type { Value } from './api.ts';
import { titleOf } from './text.ts';
import { texts } from './texts.ts';

/** The part of an OpenAPI document (3.1) that the console reads; all of it is described in docs/api.md or is OpenAPI's own. */
export interface OpenApi {
  readonly info: { readonly title: string };
  readonly tags: readonly Tag[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<'get' | 'post' | 'patch' | 'delete', Operation>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Tag {
  readonly name: string;
  readonly description?: string;
  readonly 'x-resource': {
    readonly path: string;
    readonly kind: 'record' | 'line-item' | 'singleton';
    /** Its ids begin with this. */
    readonly name: string;
    /** Several of its records, as a heading; there are none of settings. */
    readonly plural?: string;
    readonly parent?: { readonly field: string; readonly path?: string };
    readonly lock?: Lock;
    readonly archive?: boolean;
    readonly columns?: readonly string[];
    readonly title?: readonly string[];
    readonly form?: readonly FormGroup[];
  };
}

/** Fields that a form shows together. */
interface FormGroup {
  readonly title: string;
  readonly fields: readonly string[];
  /** The condition under which they are shown, in CEL; rules have it as a function. */
  readonly show_if?: string;
}

/** The states of a field in which a record is locked, and the fields that can change then. */
interface Lock {
  readonly field: string;
  readonly states: readonly string[];
  readonly except?: readonly string[];
}

export interface Operation {
  readonly summary?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
  readonly 'x-filters'?: Readonly<Record<string, readonly string[]>>;
  readonly 'x-sort'?: readonly string[];
  readonly 'x-search'?: readonly string[];
  readonly 'x-count'?: Counts;
  readonly 'x-transition'?: Pick<Transition, 'field' | 'from' | 'to' | 'requires'>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly (string | null)[];
  readonly default?: Value;
  readonly minLength?: number;
  readonly maxLength?: number | undefined;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly readOnly?: boolean;
  readonly 'x-immutable'?: true | 'once_set';
  readonly 'x-unique'?: true;
  readonly 'x-sequence'?: string;
  readonly 'x-references'?: string | readonly string[];
  readonly 'x-default-from'?: string;
  readonly 'x-inverse'?: string;
  readonly 'x-computed'?: string;
  readonly 'x-rules'?: readonly unknown[];
  readonly 'x-colors'?: Field['colors'];
  readonly pattern?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  /** The limits of decimals, which are strings. */
  readonly 'x-minimum'?: string;
  readonly 'x-maximum'?: string;
  /** The limit of objects and arrays of any form. */
  readonly 'x-max-bytes'?: number;
}

const json = 'application/json';

/** The schema that a reference names, with the keywords beside the reference, or the schema itself. */
export function resolve({ components }: OpenApi, { $ref, ...keywords }: Schema): Schema {
  const name = $ref?.split('/').at(-1);
  return name === undefined ? keywords : { ...components.schemas[name], ...keywords };
}

/** The schema of the body of an operation. */
export function bodyOf(document: OpenApi, operation: Operation | undefined): Schema {
  const schema = operation?.requestBody?.content[json]?.schema;
  return schema ? resolve(document, schema) : {};
}

/** The schema of an operation's response when it succeeds. */
function answerOf(document: OpenApi, operation: Operation | undefined): Schema {
  const [, response] = Object.entries(operation?.responses ?? {}).find(([status]) => status.startsWith('2')) ?? [];
  const schema = response?.content?.[json]?.schema;
  return schema ? resolve(document, schema) : {};
}

/** Comparisons that filters of lists make, as the API names them. */
export type Operator = 'eq' | 'ne' | 'in' | 'null' | 'gt' | 'gte' | 'lt' | 'lte' | 'prefix' | 'has';

/** A field of a resource. */
export interface Field {
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly doc?: string | undefined;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly format?: string | undefined;
  /** The values it can have, where they are listed. */
  readonly values?: readonly string[] | undefined;
  /** It must be there when a record is created. */
  readonly required: boolean;
  readonly nullable: boolean;
  /** Set by the service alone. */
  readonly readOnly: boolean;
  /** No update changes it: true from the create on, `once_set` once it is not null. */
  readonly immutable?: true | 'once_set' | undefined;
  /** No two records have the same value in it. */
  readonly isUnique?: true | undefined;
  /** The value of an absent field when a record is created. */
  readonly default?: NonNullable<Value> | undefined;
  /** A create copies it from this if it is absent. */
  readonly copiedFrom?: string | undefined;
  /** The value that a create or a transition gives it if it is absent. */
  readonly filledWith?: 'time' | 'day' | 'actor' | undefined;
  /** A create sets it to its time or day, or copies it, if it is absent. */
  readonly isFilled?: boolean | undefined;
  readonly maxLength?: number | undefined;
  /** Every change of a record sets it: to its time, or to who makes it. */
  readonly isStamp?: boolean;
  /** Further limits of its values: of texts the least length and the pattern, of numbers the least and the greatest, of lists the entries. */
  readonly limits?: Readonly<
    Pick<
      Schema,
      'minLength' | 'maxItems' | 'pattern' | 'minimum' | 'maximum' | 'x-minimum' | 'x-maximum' | 'x-max-bytes'
    >
  >;
  /** It follows from other fields, or from line items. */
  readonly isComputed?: boolean;
  /** The entries of a list. */
  readonly of?: Field | undefined;
  /** The entries of a list differ. */
  readonly hasUniqueEntries?: boolean | undefined;
  /** The route of the resource whose records it names by their ids. */
  readonly references?: readonly string[] | undefined;
  /** The name that these have for the list of the records with this field. */
  readonly inverse?: string | undefined;
  /** The colors of its states; not of all of them. */
  readonly colors?: Readonly<Record<string, string>> | undefined;
}

/** The help of a field. @param isStored whether the record is: its defaults say nothing new then */
export const helpOf = ({ doc, filledWith }: Field, isStored: boolean): string =>
  [doc ?? '', filledWith && !isStored ? texts.field.filledWith[filledWith] : ''].join(' ').trim();

/** Whether it holds objects and arrays of any form. */
export const isFree = ({ type }: Pick<Field, 'type'>): boolean => type === 'object';

/** A text of any words: it can be empty without being absent. */
export const isFreeText = ({ type, format, values, references }: Field): boolean =>
  type === 'string' && !format && !values && !references;

/** A decimal is a string with all of its digits. */
export const isDecimal = ({ format }: Pick<Field, 'format'>): boolean => format === 'decimal';

export const isNumeric = (field: Pick<Field, 'type' | 'format'>): boolean =>
  field.type === 'integer' || field.type === 'number' || isDecimal(field);

/** An operation that moves a state field, like submit. */
export interface Transition {
  readonly name: string;
  readonly title: string;
  readonly field: string;
  readonly from: readonly string[];
  /** Without it, the record keeps its state. */
  readonly to?: string;
  /** The fields that must not be null. */
  readonly requires?: readonly string[];
  /** The fields of its body. */
  readonly input: readonly Field[];
}

/** The fields that records are counted by, and those that are summed. */
export interface Counts {
  readonly by: readonly string[];
  readonly sum: readonly string[];
}

export interface Resource {
  /** The path of its API, like `/api/crm/lead`. */
  readonly path: string;
  /** In URLs of the console and in scopes, like `crm/lead`. */
  readonly route: string;
  readonly kind: 'record' | 'line-item' | 'singleton';
  /** One record, as a heading. */
  readonly title: string;
  /** Several, as a heading; of settings the title. */
  readonly plural: string;
  readonly doc?: string | undefined;
  readonly area: string;
  /** The form of its ids. */
  readonly idForm: RegExp;
  /** In the order of the spec, between the id and the timestamps. */
  readonly fields: readonly Field[];
  /** The fields that its list shows. */
  readonly columns: readonly Field[];
  /** The parts of the title of a record: fields, some at the end of references that lead to them, like `copy_id.book_id.title`; none if the spec does not say it. */
  readonly recordTitle: readonly string[];
  /** The fields that titles are read from, also those of other records that lead through this one. */
  readonly titleFields: readonly Field[];
  /** The groups of fields in its form; none if the spec does not say it. */
  readonly form: readonly FormGroup[];
  readonly filters: ReadonlyMap<string, readonly Operator[]>;
  readonly sort: readonly string[];
  /** The fields that `q` searches; none where there is no search. */
  readonly search: readonly string[];
  /** The fields that its list is counted by, and those that are summed; undefined if it is not counted. */
  readonly counts: Counts | undefined;
  readonly transitions: readonly Transition[];
  readonly can: Readonly<Record<'list' | 'create' | 'update' | 'delete' | 'reorder', boolean>>;
  readonly lock?: Lock;
  /** The operations that archive a record and take that back, as moves of the time; undefined if it cannot be archived. */
  readonly archive?: Readonly<Record<'archive' | 'unarchive', Transition>> | undefined;
  /** The URL of its rules, relative to the console; undefined if it has none. */
  readonly rulesUrl?: string | undefined;
  /** Its rules, once they are loaded. */
  readonly logic?: Logic | undefined;
  /** The parent of a line item. */
  readonly parent?: {
    readonly field: string;
    /** Its API path, where it is a resource of this service. */
    readonly path?: string;
  };
  /** Line items whose parent it is. */
  readonly items: readonly Resource[];
}

export interface Area {
  readonly title: string;
  readonly resources: readonly Resource[];
}

/** The resources of the service, as its OpenAPI document describes them. */
export interface Model {
  readonly title: string;
  readonly areas: readonly Area[];
  /** By their routes. */
  readonly resources: ReadonlyMap<string, Resource>;
}

/** The field of a resource with this name. */
export const fieldOf = ({ fields }: Resource, name: string): Field | undefined =>
  fields.find((field) => field.name === name);

const typesOf = ({ type = 'string' }: Schema): readonly string[] => (typeof type === 'string' ? [type] : type);

/** Sentences of the document for programs: people see the name of a record, all decimals, and what only the service sets. */
const forPrograms = new RegExp(
  `(?:\\s*(?:${[
    'The id of an? [^.]* that exists, [^.]*\\.',
    '(?:A decimal number(?:, at [-a-z0-9 .]*)?\\. )?Responses have \\d+ decimals?; requests may have fewer\\.',
    'Set by the service\\.|When created\\.|Last changed\\.',
    'Numbered by the service\\. A create with the header `Import: true` may bring it\\.',
    'Each change sets it to [^.]*\\.',
    'An object or an array of any form, [^.]*: it is returned as it was sent\\.',
  ].join('|')}))+$`,
);

/** The sentence of the document about a field that every change of a record sets. */
const setByChanges = /\bEach change sets it to\b/;

/** The sentence of the document about a default that a create or a transition computes or copies. */
const computedDefault = /\s*By default, the (?:(time|day|actor) of the (create|call)\b)?[^.]*\./;

/** A field whose schema says all of it, like an entry of a list. */
function readPlainField(name: string, schema: Schema): Field {
  const { format, maxLength, enum: values, items, uniqueItems } = schema;
  const type = typesOf(schema).find((one) => one !== 'null') ?? 'string';
  return {
    name,
    title: titleOf(name),
    type: type as Field['type'],
    required: false,
    nullable: false,
    readOnly: schema.readOnly ?? false,
    format,
    maxLength,
    limits: schema,
    values: values?.filter((value) => value !== null),
    of: type === 'array' && items ? readPlainField(name, items) : undefined,
    hasUniqueEntries: uniqueItems,
  };
}

/** @param update the body of an update: settings can hold a null that cannot be set again */
function readField(name: string, schema: Schema, create: Schema, update: Schema): Field {
  const { 'x-references': references, 'x-inverse': inverse } = schema;
  // It names the default that a create computes.
  const { description, 'x-default-from': source } = create.properties?.[name] ?? schema;
  const nullable = typesOf(update.properties?.[name] ?? schema).includes('null');
  const readOnly = schema.readOnly ?? false;
  const isSetting = create.properties === undefined;
  const [, filledWith, filledBy] = computedDefault.exec(description ?? '') ?? [];
  return {
    ...readPlainField(name, schema),
    title: titleOf(references ? name.replace(/_id$/, '') : name),
    required: isSetting ? !nullable && !readOnly : (create.required?.includes(name) ?? false),
    nullable,
    immutable: schema['x-immutable'],
    isUnique: schema['x-unique'] ?? (schema['x-sequence'] === undefined ? undefined : true),
    references: references === undefined ? undefined : [references].flat(),
    inverse,
    isComputed: schema['x-computed'] !== undefined,
    colors: schema['x-colors'],
    doc: description?.replace(computedDefault, '').replace(forPrograms, '').trim() || undefined,
    filledWith: filledWith as Field['filledWith'],
    default: create.properties?.[name]?.default ?? undefined,
    copiedFrom: source?.slice(source.indexOf('/') + 1, source.lastIndexOf('.')).replaceAll(/[-_]/g, ' '),
    isFilled: source !== undefined || filledBy === 'create',
    isStamp: setByChanges.test(description ?? ''),
  };
}

const readTransition = (document: OpenApi, path: string, operation: Operation | undefined): readonly Transition[] => {
  const transition = operation?.['x-transition'];
  if (!transition) return [];
  const name = path.split('/').at(-1) as string;
  const body = bodyOf(document, operation);
  // Its fields are those of the body alone.
  const input = Object.entries(body.properties ?? {}).map(([field, schema]) =>
    readField(field, schema, body, { properties: {} }),
  );
  return [{ name, title: titleOf(name), input, ...transition }];
};

/** The field of records that can be archived. */
export const archivedAt = 'archived_at';

/** The time at which a record was last changed. */
export const updatedAt = 'updated_at';

const archiveMove = (name: string, to: string): Transition => ({
  name,
  title: titleOf(name),
  field: archivedAt,
  from: [],
  to,
  input: [],
});

const archiveMoves = { archive: archiveMove('archive', 'archived'), unarchive: archiveMove('unarchive', 'unarchived') };

function readResource(document: OpenApi, basePath: string, area: string, tag: Tag): Resource {
  const {
    path,
    kind,
    parent,
    lock,
    archive,
    plural = tag.name,
    columns: names = [],
    title = [],
    form = [],
  } = tag['x-resource'];
  const { get: list, post: create } = document.paths[path] ?? {};
  const { get: retrieve, patch: update, delete: remove } = document.paths[`${path}/{id}`] ?? {};
  const recordSchema = answerOf(document, update ?? retrieve ?? create);
  const createSchema = bodyOf(document, create);
  const updateSchema = bodyOf(document, update);
  const properties = Object.entries(recordSchema.properties ?? {})
    // Line items, and the records that references name, are there when `expand` asks for them.
    .filter(([name]) => recordSchema.required?.includes(name))
    .map(([name, schema]) => [name, resolve(document, schema)] as const);
  const fields = properties.map(([name, schema]) => readField(name, schema, createSchema, updateSchema));
  const columns = names.flatMap((name) => fields.find((field) => field.name === name) ?? []);
  return {
    path,
    route: path.slice(basePath.length + 1),
    kind,
    title: tag.name,
    plural,
    area,
    idForm: new RegExp(resolve(document, recordSchema.properties?.['id'] ?? {}).pattern ?? ''),
    fields,
    columns,
    recordTitle: title,
    titleFields: [],
    form,
    filters: new Map(Object.entries(list?.['x-filters'] ?? {})) as Resource['filters'],
    sort: list?.['x-sort'] ?? [],
    search: list?.['x-search'] ?? [],
    counts: document.paths[`${path}/count`]?.get?.['x-count'],
    transitions: Object.entries(document.paths).flatMap(([other, { post }]) =>
      other.startsWith(`${path}/{id}/`) ? readTransition(document, other, post) : [],
    ),
    can: {
      list: kind !== 'singleton' && list !== undefined,
      create: create !== undefined,
      update: update !== undefined,
      delete: remove !== undefined,
      reorder: document.paths[`${path}/reorder`] !== undefined,
    },
    items: [],
    rulesUrl:
      recordSchema['x-rules'] || form.some((group) => group.show_if) ? `rules/${tag['x-resource'].name}.js` : undefined,
    doc: tag.description,
    ...(parent && { parent }),
    ...(lock && { lock }),
    archive: archive ? archiveMoves : undefined,
  };
}

/** The fields that titles of records are read from, by their resources. */
function titleFieldsOf(all: readonly Resource[]): ReadonlyMap<Resource, ReadonlySet<Field>> {
  const fields = new Map(all.map((resource) => [resource, new Set<Field>()]));
  const visit = (resource: Resource | undefined, [name = '', ...rest]: readonly string[]): void => {
    const field = resource && fieldOf(resource, name);
    if (!field) return;
    fields.get(resource)?.add(field);
    if (rest.length > 0)
      visit(
        all.find(({ route }) => route === field.references?.[0]),
        rest,
      );
  };
  for (const resource of all) for (const path of resource.recordTitle) visit(resource, path.split('.'));
  return fields;
}

/** Reads the resources of a service from its OpenAPI document. */
export function readModel(document: OpenApi): Model {
  const tags = new Map(document.tags.map((tag) => [tag.name, tag]));
  const all = document['x-tagGroups'].flatMap((group) =>
    group.tags.flatMap((name) => {
      const tag = tags.get(name);
      if (!tag?.['x-resource']) return [];
      // The last two segments are the area and the resource.
      const basePath = tag['x-resource'].path.split('/').slice(0, -2).join('/');
      return [readResource(document, basePath, group.name, tag)];
    }),
  );
  const titleFields = titleFieldsOf(all);
  const titled = all.map((resource) => ({ ...resource, titleFields: [...(titleFields.get(resource) ?? [])] }));
  const withItems = titled.map((resource) => ({
    ...resource,
    items: titled.filter(({ parent }) => parent?.path === resource.path),
  }));
  return {
    title: document.info.title,
    areas: document['x-tagGroups'].map(({ name }) => ({
      title: name,
      resources: withItems.filter(({ area }) => area === name),
    })),
    resources: new Map(withItems.map((resource) => [resource.route, resource])),
  };
}
