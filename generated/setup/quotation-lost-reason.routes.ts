// Generated from spec/setup/quotation-lost-reason.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import {
  QuotationLostReasonCreate,
  QuotationLostReasonQuery,
  quotationLostReasonTable,
  QuotationLostReasonUpdate,
} from './quotation-lost-reason.schema.ts';

/** The routes of `/api/setup/quotation-lost-reason`. All of them also respond 401, 403, 429, 500 and 503. */
export const quotationLostReasonRoutes = new Hono<Env>()

  // List quotation lost reasons, newest first. Responds 200, 400.
  .get('/', list(quotationLostReasonTable, QuotationLostReasonQuery))

  // Create a quotation lost reason. Responds 201, 400, 413, 415, 422.
  .post('/', create(quotationLostReasonTable, QuotationLostReasonCreate))

  // Retrieve a quotation lost reason. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(quotationLostReasonTable))

  // Update a quotation lost reason. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(quotationLostReasonTable, QuotationLostReasonUpdate))

  // Delete a quotation lost reason. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(quotationLostReasonTable));
