// Generated from spec/accounts/bank-guarantee.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { change, create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import {
  BankGuaranteeCreate,
  BankGuaranteeQuery,
  bankGuaranteeTable,
  BankGuaranteeUpdate,
} from './bank-guarantee.schema.ts';

/** The routes of `/api/accounts/bank-guarantee`. All of them also respond 401, 403, 429, 500 and 503. */
export const bankGuaranteeRoutes = new Hono<Env>()

  // List bank guarantees, newest first. Responds 200, 400.
  .get('/', list(bankGuaranteeTable, BankGuaranteeQuery))

  // Create a bank guarantee. Responds 201, 400, 413, 415, 422.
  .post('/', create(bankGuaranteeTable, BankGuaranteeCreate))

  // Retrieve a bank guarantee. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(bankGuaranteeTable))

  // Update a bank guarantee. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(bankGuaranteeTable, BankGuaranteeUpdate))

  // Delete a bank guarantee. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(bankGuaranteeTable))

  // Submit a bank guarantee: status from draft to submitted. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/submit', change(bankGuaranteeTable, 'submit'))

  // Cancel a bank guarantee: status from submitted to cancelled. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/cancel', change(bankGuaranteeTable, 'cancel'));
