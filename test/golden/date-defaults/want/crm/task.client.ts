// Generated from spec/crm/task.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** Something to do. */
export interface Task {
  readonly id: string;
  starts_on: string | null;
  seen_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type TaskCreate = client.Creatable<Task>;
export type TaskUpdate = client.Updatable<Task>;

/** The operations of `/api/crm/task`. */
export const taskOperations = (requests: client.Requests) => {
  const path = '/api/crm/task';
  return {
    /** List tasks, newest first. */
    ...client.lists<Task, client.RecordFilter>(requests, path),

    /** Create a task. */
    create: client.create<Task, TaskCreate>(requests, path),

    /** Retrieve a task. */
    retrieve: client.retrieve<Task>(requests, path),

    /** Update a task. */
    update: client.update<Task, TaskUpdate>(requests, path),

    /** Delete a task. */
    delete: client.remove(requests, path),
  };
};
