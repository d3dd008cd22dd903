// Generated from spec/setup/staff.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** Somebody who works here. */
export const Staff = z.strictObject({
  id: id(),
  name: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Staff = z.infer<typeof Staff>;

export const StaffCreate = creatable(Staff);
export const StaffUpdate = updatable(Staff);
export const staffTable = record('staff', Staff, {
  title: 'person of the staff',
});
