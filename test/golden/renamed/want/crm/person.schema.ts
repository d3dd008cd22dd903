// Generated from spec/crm/person.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { boolean, creatable, id, optional, record, renamed, text, timestamp, updatable } from '../../runtime/index.ts';

/** A person who may buy something. */
export const Person = z.strictObject({
  id: id(),
  /** First and last name. */
  full_name: renamed(text(), 'name'),
  phone: renamed(optional(text(), 'none'), 'tel', 'telephone'),
  is_new: renamed(optional(boolean()), 'fresh'),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Person = z.infer<typeof Person>;

export const PersonCreate = creatable(Person);
export const PersonUpdate = updatable(Person);
export const personTable = record('person', Person, {
  renamedFrom: ['prospect', 'lead'],
});
