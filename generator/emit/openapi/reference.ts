import { maxEntries } from '../../../runtime/kernel/model/limits.ts';
import type { Json } from '../json.ts';

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

export const schemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
export const parameterRef = (name: string): JsonObject => ({ $ref: `#/components/parameters/${name}` });

/** A parameter in the query. */
export const inQuery = (name: string, rest: JsonObject): JsonObject => ({ name, in: 'query', ...rest });

/** The body of a request or a response in JSON. */
export const jsonContent = (schema: Json, example?: Json): JsonObject => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

/** An object with these properties, and more as the service grows: one that responses have. */
export const open = (properties: JsonObject, required: readonly string[], doc?: string): JsonObject => ({
  type: 'object',
  ...(doc !== undefined && { description: doc }),
  properties,
  ...(required.length > 0 && { required }),
});

/** An object with these properties and no others: one that it takes. */
export const closed = (properties: JsonObject, required: readonly string[], doc?: string): JsonObject => ({
  ...open(properties, required, doc),
  additionalProperties: false,
});

/** The strings without U+0000, which no string of a request can hold. No pattern that all tools read excludes lone surrogates. */
export const withoutNull = String.raw`^[^\x00]*$`;

/** Any string of a request. */
export const plainText = { type: 'string', pattern: withoutNull } as const;

/** The values of a filter that finds one of several. */
export const filterList = (items: JsonObject): JsonObject => ({
  type: 'array',
  items,
  minItems: 1,
  maxItems: maxEntries,
});

/** An object whose members are up to what it is about. Without `additionalProperties`, clients of openapi-fetch take none. */
export const anyObject = { type: 'object', additionalProperties: true } as const;

/** The position of a line item among its siblings. */
export const idx = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const;
