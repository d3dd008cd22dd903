// Generated from spec/crm/task.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** Something to do. */
export const Task = z.strictObject({
  id: field.id(),
  starts_on: optional(field.date(), '2024-02-29'),
  seen_at: optional(field.dateTime(), '2024-02-29T18:29:59.123Z'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Task = z.infer<typeof Task>;

export const TaskCreate = creatable(Task);
export const TaskUpdate = updatable(Task);
export const TaskQuery = query(Task);
export const taskTable = record('task', Task, { path: 'crm/task', list: TaskQuery });
