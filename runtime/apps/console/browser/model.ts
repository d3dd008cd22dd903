import { answerOf, bodyOf, type OpenApi, type Operation, resolve, type Schema, type Tag } from './document.ts';
import { titleOf } from './text.ts';

/** Comparisons that filters of lists make, as the API names them. */
export type Operator = 'eq' | 'ne' | 'in' | 'null' | 'gt' | 'gte' | 'lt' | 'lte' | 'prefix';

/** A field of a resource. */
export interface Field {
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly doc?: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: 'date' | 'date-time' | string;
  /** The values it can have, where they are listed. */
  readonly values?: readonly string[];
  /** It must be there when a record is created. */
  readonly required: boolean;
  readonly nullable: boolean;
  /** Set by the service alone. */
  readonly readOnly: boolean;
  /** The value of an absent field when a record is created. */
  readonly default?: string | number | boolean;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

/** An operation that moves a state field, like submit. */
export interface Transition {
  readonly name: string;
  readonly title: string;
  readonly field: string;
  readonly from: readonly string[];
  readonly to: string;
}

export interface Resource {
  /** The path of its API, like `/api/crm/lead`. */
  readonly path: string;
  /** In URLs of the console and in scopes, like `crm/lead`. */
  readonly route: string;
  readonly kind: 'record' | 'line_item' | 'singleton';
  readonly title: string;
  readonly doc?: string;
  readonly area: string;
  /** In the order of the spec, between the id and the timestamps. */
  readonly fields: readonly Field[];
  /** The fields that its list shows. */
  readonly columns: readonly Field[];
  readonly filters: ReadonlyMap<string, readonly Operator[]>;
  readonly sort: readonly string[];
  /** The fields that `q` searches; none where there is no search. */
  readonly search: readonly string[];
  readonly transitions: readonly Transition[];
  readonly can: Readonly<Record<'list' | 'create' | 'update' | 'delete' | 'reorder', boolean>>;
  /** The parent of a line item. */
  readonly parent?: {
    readonly field: string;
    /** Its API path, where it is a resource of this service. */
    readonly path?: string;
    readonly typeField?: string;
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

/** @param update the body of an update: settings can hold a null that cannot be set again */
function readField(name: string, schema: Schema, create: Schema, update: Schema): Field {
  const { format, description, maxLength, minimum, maximum, pattern } = schema;
  const types = typesOf(schema);
  const nullable = typesOf(update.properties?.[name] ?? schema).includes('null');
  const readOnly = schema.readOnly ?? false;
  const isSetting = create.properties === undefined;
  const initial = create.properties?.[name]?.default;
  return {
    name,
    title: titleOf(name),
    type: (types.find((type) => type !== 'null') ?? 'string') as Field['type'],
    required: isSetting ? !nullable && !readOnly : (create.required?.includes(name) ?? false),
    nullable,
    readOnly,
    ...(description !== undefined && { doc: description }),
    ...(format !== undefined && { format }),
    ...(schema.enum && { values: schema.enum.filter((value) => value !== null) }),
    ...(initial !== undefined && initial !== null && { default: initial }),
    ...(maxLength !== undefined && { maxLength }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(pattern !== undefined && { pattern }),
  };
}

const readTransition = (path: string, operation: Operation | undefined): readonly Transition[] => {
  const transition = operation?.['x-transition'];
  if (!transition) return [];
  const name = path.split('/').at(-1) as string;
  return [{ name, title: titleOf(name), ...transition }];
};

function readResource(document: OpenApi, basePath: string, area: string, tag: Tag): Resource {
  const { path, kind, parent, columns: names = [] } = tag['x-resource'];
  const { get: list, post: create } = document.paths[path] ?? {};
  const { get: retrieve, patch: update, delete: remove } = document.paths[`${path}/{id}`] ?? {};
  const recordSchema = answerOf(document, update ?? retrieve ?? create);
  const createSchema = bodyOf(document, create);
  const updateSchema = bodyOf(document, update);
  const properties = Object.entries(recordSchema.properties ?? {})
    .map(([name, schema]) => [name, resolve(document, schema)] as const)
    // Lists of line items are there when `expand` names them.
    .filter(([, schema]) => !typesOf(schema).includes('object'));
  const fields = properties.map(([name, schema]) => readField(name, schema, createSchema, updateSchema));
  const columns = names.flatMap((name) => fields.find((field) => field.name === name) ?? []);
  return {
    path,
    route: path.slice(basePath.length + 1),
    kind,
    title: tag.name,
    area,
    fields,
    columns,
    filters: new Map(Object.entries(list?.['x-filters'] ?? {})) as Resource['filters'],
    sort: list?.['x-sort'] ?? [],
    search: list?.['x-search'] ?? [],
    transitions: Object.entries(document.paths).flatMap(([other, { post }]) =>
      other.startsWith(`${path}/{id}/`) ? readTransition(other, post) : [],
    ),
    can: {
      list: kind !== 'singleton' && list !== undefined,
      create: create !== undefined,
      update: update !== undefined,
      delete: remove !== undefined,
      reorder: document.paths[`${path}/reorder`] !== undefined,
    },
    items: [],
    ...(tag.description !== undefined && { doc: tag.description }),
    ...(parent && {
      parent: {
        field: parent.field,
        ...(parent.path !== undefined && { path: parent.path }),
        ...(parent.type_field !== undefined && { typeField: parent.type_field }),
      },
    }),
  };
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
  const withItems = all.map((resource) => ({
    ...resource,
    items: all.filter(({ parent }) => parent?.path === resource.path),
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
