/** The part of an OpenAPI document (3.1) that the console reads; all of it is described in docs/api.md or is OpenAPI's own. */
export interface OpenApi {
  readonly info: { readonly title: string };
  readonly tags: readonly Tag[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<'get' | 'post' | 'patch' | 'delete', Operation>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Tag {
  readonly name: string;
  readonly description?: string;
  readonly 'x-resource': {
    readonly path: string;
    readonly kind: 'record' | 'line_item' | 'singleton';
    /** Its ids begin with this. */
    readonly name: string;
    readonly parent?: { readonly field: string; readonly path?: string; readonly type_field?: string };
    readonly columns?: readonly string[];
  };
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
  readonly 'x-transition'?: { readonly field: string; readonly from: readonly string[]; readonly to: string };
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly (string | null)[];
  readonly default?: string | number | boolean | null;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly readOnly?: boolean;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

const json = 'application/json';

/** The schema that a reference names, or the schema itself. */
export function resolve({ components }: OpenApi, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components.schemas[name] ?? {});
}

/** The schema of the body of an operation. */
export function bodyOf(document: OpenApi, operation: Operation | undefined): Schema {
  const schema = operation?.requestBody?.content[json]?.schema;
  return schema ? resolve(document, schema) : {};
}

/** The schema of what an operation answers with when it succeeds. */
export function answerOf(document: OpenApi, operation: Operation | undefined): Schema {
  const [, response] = Object.entries(operation?.responses ?? {}).find(([status]) => status.startsWith('2')) ?? [];
  const schema = response?.content?.[json]?.schema;
  return schema ? resolve(document, schema) : {};
}
