// Generated from spec/crm/task.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { TaskCreate, TaskQuery, taskTable, TaskUpdate } from './task.schema.ts';

/** The routes of `/api/crm/task`. All of them also answer 401, 403, 429, 500 and 503. */
export const taskRoutes = new Hono<Env>()

  // List tasks, newest first. Answers 200, 400.
  .get('/', list(taskTable, TaskQuery))

  // Create a task. Answers 201, 400, 413, 415, 422.
  .post('/', create(taskTable, TaskCreate))

  // Retrieve a task. Answers 200, 400, 404.
  .get('/:id', retrieve(taskTable))

  // Update a task. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(taskTable, TaskUpdate))

  // Delete a task. Answers 200, 400, 404.
  .delete('/:id', remove(taskTable));
