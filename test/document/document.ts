import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { formats } from '../../runtime/kernel/model/formats.ts';

/** The keywords of the document's schemas. */
export interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly not?: { readonly pattern: string };
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly readOnly?: boolean;
  readonly examples?: readonly unknown[];
  readonly 'x-references'?: string | readonly string[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

interface Response {
  readonly description: string;
  /** None if the answer has no body. */
  readonly content?: Content;
}

interface WrittenOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

/** One operation, with its parameters and their schemas resolved. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** By media type. */
  readonly bodies: readonly (readonly [type: string, schema: Schema])[];
  readonly example: unknown;
  readonly responses: Readonly<Record<string, Response>>;
}

/** An OpenAPI document as a tester reads it. */
export class Document {
  readonly #root: object;
  readonly #ajv = new Ajv2020({ strict: false });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly operations: readonly Operation[];

  constructor(text: string) {
    this.#root = JSON.parse(text) as object;
    for (const [name, { accepts }] of Object.entries(formats)) this.#ajv.addFormat(name, accepts);
    // The pattern says all of it.
    this.#ajv.addFormat('decimal', true);
    for (const name of ['double', 'uri-reference', 'json-pointer']) this.#ajv.addFormat(name, true);
    this.#ajv.addSchema(this.#root, 'whole');
    this.#ajv.addSchema(JSON.parse(text, ofPart) as object, 'part');
    const { paths } = this.#root as { paths: Record<string, Record<string, WrittenOperation>> };
    this.operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, written]) => {
        const content = Object.entries(written.requestBody?.content ?? {});
        return {
          method: method.toUpperCase(),
          path,
          tag: written.tags[0] ?? '',
          id: written.operationId,
          summary: written.summary,
          description: written.description,
          parameters: (written.parameters ?? []).map((one) => {
            const parameter = this.resolve(one) as Parameter;
            return { ...parameter, schema: this.resolve(parameter.schema) as Schema };
          }),
          bodies: content.map(([type, { schema }]) => [type, this.resolve(schema) as Schema] as const),
          example: content[0]?.[1].example,
          responses: Object.fromEntries(
            Object.entries(written.responses).map(([status, one]) => [status, this.resolve(one) as Response]),
          ),
        };
      }),
    );
  }

  /** Resolves a reference, which may have keywords beside it; returns other values as they are. */
  resolve(value: object): object {
    if (!('$ref' in value)) return value;
    const { $ref, ...own } = value;
    const keys = String($ref).split('/').slice(1);
    return { ...keys.reduce((at, key) => (at as Record<string, object>)[key] ?? {}, this.#root), ...own };
  }

  /** The schema of the ids that a reference can have; undefined if the schema is of no reference. */
  idOf({ 'x-references': resources }: Schema): Schema | undefined {
    const [resource] = [resources].flat();
    const named = this.operations.find(({ path }) => resource !== undefined && path.endsWith(`/${resource}/{id}`));
    return named?.parameters.find((parameter) => parameter.in === 'path')?.schema;
  }

  /**
   * The fault of an answer; undefined if it has none.
   *
   * @param isPart whether `fields` asked for a part of the records, whose schemas require all fields
   */
  faultOf({ responses }: Operation, status: number, body: unknown, isPart: boolean): string | undefined {
    const response = responses[status] ?? responses['default'];
    if (!response) return `the status ${status} is not described`;
    if (!response.content) return body === undefined ? undefined : `the status ${status} has a body`;
    const { schema } = Object.values(response.content)[0] ?? {};
    if (!schema) return `the status ${status} has no schema`;
    const validate = this.#validator(schema, isPart);
    if (validate(body)) return undefined;
    return `${this.#ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 500)}`;
  }

  #validator(schema: Schema, isPart: boolean): ValidateFunction {
    const base = isPart ? 'part' : 'whole';
    const key = JSON.stringify(schema, (name, value: unknown) => (name === '$ref' ? `${base}${value}` : value));
    const known = this.#validators.get(key);
    if (known) return known;
    const validate = this.#ajv.compile(JSON.parse(key) as object);
    this.#validators.set(key, validate);
    return validate;
  }
}

/** Revives a document without what its records must have beside their ids. */
function ofPart(_: string, value: unknown): unknown {
  const { properties } = (value ?? {}) as Schema;
  return properties && 'id' in properties ? { ...(value as Schema), required: ['id'] } : value;
}
