// Generated from spec/crm/appointment-booking-settings.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { type Env, retrieveSingleton, update } from '../../runtime/index.ts';
import {
  appointmentBookingSettingsTable,
  AppointmentBookingSettingsUpdate,
} from './appointment-booking-settings.schema.ts';

/** The routes of `/api/crm/appointment-booking-settings`. All of them also respond 401, 403, 429, 500 and 503. */
export const appointmentBookingSettingsRoutes = new Hono<Env>()

  // Retrieve the appointment booking settings. Responds 200, 304, 400.
  .get('/', retrieveSingleton(appointmentBookingSettingsTable))

  // Update the appointment booking settings. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(appointmentBookingSettingsTable, AppointmentBookingSettingsUpdate));
