import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** JSON Schema, as far as this document uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

type Referred<T> = T | { readonly $ref: string };
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Described {
  readonly parameters?: readonly Referred<Parameter>[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Referred<{ readonly content?: Content }>>>;
}

/** An operation that the document describes. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly Parameter[];
  readonly body: Schema | undefined;
  /** The schema of the body for each status. */
  readonly answers: ReadonlyMap<number, ValidateFunction>;
}

/** The OpenAPI document of a service, in which references are found. */
export class Document {
  readonly operations: readonly Operation[];
  readonly #source: object;

  constructor(source: { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> }) {
    this.#source = source;
    // Formats are the service's own to check.
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
    ajv.addSchema(source, 'document');
    const compiled = new Map<string, ValidateFunction>();
    // Most answers share a schema.
    const validatorOf = (content: Content | undefined): ValidateFunction => {
      const { $ref } = Object.values(content ?? {})[0]?.schema ?? {};
      const reference = `document${$ref ?? '#'}`;
      const validator = compiled.get(reference) ?? ajv.compile($ref === undefined ? {} : { $ref: reference });
      compiled.set(reference, validator);
      return validator;
    };
    this.operations = Object.entries(source.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({
        method: method.toUpperCase(),
        path,
        query: (described.parameters ?? []).map((one) => this.resolved(one)).filter((one) => one.in === 'query'),
        body: described.requestBody && Object.values(described.requestBody.content)[0]?.schema,
        answers: new Map(
          Object.entries(described.responses).map(([status, answer]) => [
            Number(status),
            validatorOf(this.resolved(answer).content),
          ]),
        ),
      })),
    );
  }

  /** Resolves a reference; returns other values as they are. */
  resolved<T extends object>(value: Referred<T>): T {
    if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
    const parts = value.$ref.slice(2).split('/');
    return parts.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], this.#source) as T;
  }
}
