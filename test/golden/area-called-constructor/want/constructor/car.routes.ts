// Generated from spec/constructor/car.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { CarCreate, CarQuery, carTable, CarUpdate } from './car.schema.ts';

/** The routes of `/api/constructor/car`. All of them also answer 401, 403, 429, 500 and 503. */
export const carRoutes = new Hono<Env>()

  // List cars, newest first. Answers 200, 400.
  .get('/', list(carTable, CarQuery))

  // Create a car. Answers 201, 400, 413, 415, 422.
  .post('/', create(carTable, CarCreate))

  // Retrieve a car. Answers 200, 400, 404.
  .get('/:id', retrieve(carTable))

  // Update a car. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(carTable, CarUpdate))

  // Delete a car. Answers 200, 400, 404.
  .delete('/:id', remove(carTable));
