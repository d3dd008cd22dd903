/** The part of the OpenAPI document of a server that its tables lack. */
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, OpenApiSchema>> };
}

interface OpenApiOperation {
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: OpenApiSchema }>> };
}

interface OpenApiSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<
    Record<string, { readonly example?: unknown; readonly examples?: readonly unknown[] }>
  >;
}

/** Reads what a document says of resources. */
export class Document {
  readonly #document: OpenApi;

  constructor(document: unknown) {
    this.#document = document as OpenApi;
  }

  /** The example of a field, where there is one. */
  exampleOf(path: string, field: string): unknown {
    const { schema } = this.#document.paths[path]?.['post']?.requestBody?.content?.['application/json'] ?? {};
    const name = schema?.$ref?.split('/').at(-1);
    const found = name === undefined ? schema : this.#document.components?.schemas?.[name];
    const { example, examples } = found?.properties?.[field] ?? {};
    return example ?? examples?.[0];
  }
}
