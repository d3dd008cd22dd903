// Generated from spec/setup/staff.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { StaffCreate, StaffQuery, staffTable, StaffUpdate } from './staff.schema.ts';

/** The routes of `/api/setup/staff`. All of them also respond 401, 403, 429, 500 and 503. */
export const staffRoutes = new Hono<Env>()

  // List people of the staff, newest first. Responds 200, 400.
  .get('/', list(staffTable, StaffQuery))

  // Create a person of the staff. Responds 201, 400, 413, 415, 422.
  .post('/', create(staffTable, StaffCreate))

  // Retrieve a person of the staff. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(staffTable))

  // Update a person of the staff. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(staffTable, StaffUpdate))

  // Delete a person of the staff. Responds 200, 400, 404, 409, 412, 422.
  .delete('/:id', remove(staffTable));
