// Generated from spec/crm/person.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, optional, query, record } from '../../runtime/index.ts';

/** A person who may buy something. */
export const Person = z.strictObject({
  id: field.id(),
  name: field.text(),
  stage: optional(field.oneOf(['new', 'old']), 'new'),
  age: optional(field.integer(), 16),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Person = z.infer<typeof Person>;

export const PersonCreate = creatable(Person);
export const PersonQuery = query(Person);
export const personTable = record('person', Person, { path: 'crm/person', operations: ['list', 'create'] }, [
  listed(PersonQuery),
]);
