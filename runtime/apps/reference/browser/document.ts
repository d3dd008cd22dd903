/** The parts of the OpenAPI document that are used here. */
export interface OpenApi {
  readonly info: { readonly title: string };
  servers: readonly { readonly url: string }[];
  tags?: readonly Tag[];
  /** The tags of each area. */
  readonly 'x-tagGroups'?: readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, object>>;
    readonly parameters?: Readonly<Record<string, { example?: unknown }>>;
  };
}

export interface Tag {
  readonly name: string;
  readonly description?: string;
}

interface Reference {
  readonly $ref: string;
}

interface Schema {
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}

interface Parameter extends Example {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

interface Example {
  readonly schema?: Schema | Reference;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown } | Reference>>;
}

export interface Operation {
  readonly tags?: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Example>> };
}

/** The target of a reference into the document, or the value itself. */
export function resolve<T extends object>(document: OpenApi, value: T | Reference): T {
  if (!('$ref' in value)) return value;
  const names = value.$ref
    .slice(2)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  let target: unknown = document;
  for (const name of names) target = (target as Record<string, unknown>)[name];
  return target as T;
}

/** Takes the tags that no operation has out of the document: Swagger UI would show them above the operations, all of them open. */
export function takeChapters(document: OpenApi): readonly Tag[] {
  const { tags = [], paths } = document;
  const used = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).flatMap((operation) => operation.tags ?? [])),
  );
  document.tags = tags.filter(({ name }) => used.has(name));
  return tags.filter(({ name }) => !used.has(name));
}

/** Removes examples that are variables of Postman, like `{{$guid}}`: Swagger UI would send them as they are. */
export function removeVariables({ components: { parameters = {} } }: OpenApi): void {
  for (const parameter of Object.values(parameters)) {
    if (/^\{\{.*\}\}$/.test(String(parameter.example))) delete parameter.example;
  }
}

/** The first example of a parameter or a body, or its default. */
export function exampleOf(document: OpenApi, { example, examples, schema }: Example): unknown {
  if (example !== undefined) return example;
  const [first] = Object.values(examples ?? {});
  if (first) return resolve(document, first).value;
  const resolved = schema && resolve<Schema>(document, schema);
  return resolved?.examples?.[0] ?? resolved?.default;
}
