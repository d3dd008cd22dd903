import type { Json } from '../../json.ts';

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

export const schemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
export const parameterRef = (name: string): JsonObject => ({ $ref: `#/components/parameters/${name}` });
export const jsonContent = (schema: Json): JsonObject => ({ 'application/json': { schema } });

/** An object with these properties and no others. */
export const closed = (properties: JsonObject, required: readonly string[], doc?: string): JsonObject => ({
  type: 'object',
  ...(doc !== undefined && { description: doc }),
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

/** The position of a line item among its siblings. */
export const idx = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const;
