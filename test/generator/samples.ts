import type { Value } from '../../runtime/schema/fields.ts';
import type { Field, FieldType, Resource } from '../../generator/model.ts';

export type Body = Record<string, Value>;

// Quotes, and letters of two UTF-16 units, as far as they fit.
const textOf = (length: number): string => [...`'"\\\n/${'🙂'.repeat(length)}`].slice(0, length).join('');

/** A value of each type, within its limits and other than most defaults. */
const sampleOf: { [T in FieldType['type']]: (type: Extract<FieldType, { type: T }>) => Value } = {
  text: ({ minLength = 0, maxLength = 10 }) => textOf(Math.max(minLength, Math.min(maxLength, 10))),
  date: () => '2024-12-31',
  'date-time': () => '2024-12-31T23:59:59+01:00',
  enum: ({ values }) => values.at(-1) ?? null,
  integer: ({ min = -7, max = 7 }) => (max === 7 ? min : max),
  number: ({ min = -0.75, max = 0.75 }) => (max === 0.75 ? min : max),
  boolean: () => true,
};

/** A value that a field takes, and none where that takes more than its type: where it has a pattern. */
export function sample(field: Field): Value | undefined {
  if (field.type === 'text' && field.pattern !== undefined) return undefined;
  return (sampleOf[field.type] as (type: FieldType) => Value)(field);
}

/** The smallest body that a create takes; what may be null is. */
export const minimalBody = ({ fields }: Resource): Body =>
  Object.fromEntries(
    fields
      .filter(({ required }) => required)
      .map((field) => [field.name, field.nullable ? null : (sample(field) as Value)]),
  );

/** A body with a value for every field that a client can set. */
export const fullBody = ({ fields }: Resource): Body =>
  Object.fromEntries(
    fields
      .filter(({ readOnly }) => !readOnly)
      .flatMap((field) => {
        const value = sample(field);
        return value === undefined ? [] : [[field.name, value]];
      }),
  );

/** The fields of the record that a create with this body makes, in order, without those that come with its kind. */
export const recordOf = ({ fields }: Resource, body: Body): Body =>
  Object.fromEntries(
    fields.map((field) => [field.name, field.name in body ? (body[field.name] as Value) : field.default]),
  );
