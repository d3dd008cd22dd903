// Generated from spec/crm/appointment-booking-slots.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import {
  AppointmentBookingSlotsCreate,
  AppointmentBookingSlotsQuery,
  appointmentBookingSlotsTable,
  AppointmentBookingSlotsUpdate,
} from './appointment-booking-slots.schema.ts';

/** The routes of `/api/crm/appointment-booking-slots`. All of them also respond 401, 403, 429, 500 and 503. */
export const appointmentBookingSlotsRoutes = new Hono<Env>()

  // List the appointment booking slots of a parent, by idx. Responds 200, 400.
  .get('/', listItems(appointmentBookingSlotsTable, AppointmentBookingSlotsQuery))

  // Create appointment booking slots. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(appointmentBookingSlotsTable, AppointmentBookingSlotsCreate))

  // Update appointment booking slots. Responds 200, 400, 404, 409, 412, 413, 415, 422.
  .patch('/:id', update(appointmentBookingSlotsTable, AppointmentBookingSlotsUpdate))

  // Delete appointment booking slots. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(appointmentBookingSlotsTable))

  // Reorder the appointment booking slots of a parent. Responds 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(appointmentBookingSlotsTable));
