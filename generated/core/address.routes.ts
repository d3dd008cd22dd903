// Generated from spec/core/address.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { AddressCreate, AddressQuery, addressTable, AddressUpdate } from './address.schema.ts';

/** The routes of `/api/core/address`. All of them also respond 401, 403, 429, 500 and 503. */
export const addressRoutes = new Hono<Env>()

  // List addresses, newest first. Responds 200, 400.
  .get('/', list(addressTable, AddressQuery))

  // Create an address. Responds 201, 400, 413, 415, 422.
  .post('/', create(addressTable, AddressCreate))

  // Retrieve an address. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(addressTable))

  // Update an address. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(addressTable, AddressUpdate))

  // Delete an address. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(addressTable));
