// Generated from spec/assets/machine.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, retrieve, update } from '../../runtime/index.ts';
import { MachineCreate, MachineQuery, machineTable, MachineUpdate } from './machine.schema.ts';

/** The routes of `/api/assets/machine`. All of them also answer 401, 403, 429, 500 and 503. */
export const machineRoutes = new Hono<Env>()

  // List machines, newest first. Answers 200, 400.
  .get('/', list(machineTable, MachineQuery))

  // Create a machine. Answers 201, 400, 413, 415, 422.
  .post('/', create(machineTable, MachineCreate))

  // Retrieve a machine. Answers 200, 400, 404.
  .get('/:id', retrieve(machineTable))

  // Update a machine. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(machineTable, MachineUpdate));
