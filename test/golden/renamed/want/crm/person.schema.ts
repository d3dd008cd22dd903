// Generated from spec/crm/person.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, renamed, updatable } from '../../runtime/index.ts';

/** A person who may buy something. */
export const Person = z.strictObject({
  id: field.id(),
  /** First and last name. */
  full_name: renamed(field.text(), 'name'),
  phone: renamed(optional(field.text(), 'none'), 'tel', 'telephone'),
  is_new: renamed(optional(field.boolean()), 'fresh'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Person = z.infer<typeof Person>;

export const PersonCreate = creatable(Person);
export const PersonUpdate = updatable(Person);
export const PersonQuery = query(Person);
export const personTable = record('person', Person, {
  path: 'crm/person',
  renamedFrom: ['prospect', 'lead'],
  list: PersonQuery,
});
