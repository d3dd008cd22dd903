// Generated from spec/setup/hourly-rate.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { HourlyRateCreate, HourlyRateQuery, hourlyRateTable, HourlyRateUpdate } from './hourly-rate.schema.ts';

/** The routes of `/api/setup/hourly-rate`. All of them also answer 401, 403, 429, 500 and 503. */
export const hourlyRateRoutes = new Hono<Env>()

  // List rates of an hour's "work", newest first. Answers 200, 400.
  .get('/', list(hourlyRateTable, HourlyRateQuery))

  // Create a rate of an hour's "work". Answers 201, 400, 413, 415, 422.
  .post('/', create(hourlyRateTable, HourlyRateCreate))

  // Retrieve a rate of an hour's "work". Answers 200, 400, 404.
  .get('/:id', retrieve(hourlyRateTable))

  // Update a rate of an hour's "work". Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(hourlyRateTable, HourlyRateUpdate))

  // Delete a rate of an hour's "work". Answers 200, 400, 404.
  .delete('/:id', remove(hourlyRateTable));
