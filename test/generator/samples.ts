import { expect } from 'vitest';

import type { FieldValue } from '../../runtime/kernel/model/fields.ts';
import { fieldTypeRow } from '../../generator/model/field-types.ts';
import type { Field, Resource } from '../../generator/model/model.ts';

export type Body = Record<string, FieldValue>;

// Quotes, and letters of two UTF-16 units, as far as they fit.
const textOf = (length: number): string => [...`'"\\\n/${'🙂'.repeat(length)}`].slice(0, length).join('');

/** A value that a field takes, and none where that takes more than its type: where it has a pattern. */
export function sample(field: Field): FieldValue | undefined {
  if (field.type !== 'text') return fieldTypeRow(field).example(field);
  const { minLength = 0, maxLength = 10, pattern } = field;
  return pattern === undefined ? textOf(Math.max(minLength, Math.min(maxLength, 10))) : undefined;
}

/** The smallest body that a create takes; what may be null is. */
export const minimalBody = ({ fields }: Pick<Resource, 'fields'>): Body =>
  Object.fromEntries(
    fields
      .filter(({ required }) => required)
      .map((field) => [field.name, field.nullable ? null : (sample(field) as FieldValue)]),
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

/** The value of a field that a create leaves out; one that each create computes is matched by its form. */
function absent({ default: value, moment, sequence }: Field): FieldValue {
  if (sequence) return expect.stringMatching(/\d$/) as string;
  if (!moment) return value;
  return expect.stringMatching('by' in moment ? /^API_KEYS [0-9a-f]{8}$/ : /^\d{4}-\d\d-\d\d/) as string;
}

/** The fields of the record that a create with this body makes, in order, without those that come with its kind. */
export const recordOf = ({ fields }: Pick<Resource, 'fields'>, body: Body): Body =>
  Object.fromEntries(
    fields.map((field) => [field.name, field.name in body ? (body[field.name] as FieldValue) : absent(field)]),
  );
