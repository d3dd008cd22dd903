// Generated from spec/crm/task.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, date, dateTime, id, optional, record, timestamp, updatable } from '../../runtime/index.ts';

/** Something to do. */
export const Task = z.strictObject({
  id: id(),
  starts_on: optional(date(), '2024-02-29'),
  seen_at: optional(dateTime(), '2024-02-29T23:59:60.123+05:30'),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Task = z.infer<typeof Task>;

export const TaskCreate = creatable(Task);
export const TaskUpdate = updatable(Task);
export const taskTable = record('task', Task);
