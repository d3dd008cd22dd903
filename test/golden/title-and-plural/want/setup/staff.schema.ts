// Generated from spec/setup/staff.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** Somebody who works here. */
export const Staff = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Staff = z.infer<typeof Staff>;

export const StaffCreate = creatable(Staff);
export const StaffUpdate = updatable(Staff);
export const StaffQuery = query(Staff);
export const staffTable = record('staff', Staff, {
  path: 'setup/staff',
  title: 'person of the staff',
  list: StaffQuery,
});
