// Generated from spec/crm/quotation.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, retrieve, update } from '../../runtime/index.ts';
import { QuotationCreate, QuotationQuery, quotationTable, QuotationUpdate } from './quotation.schema.ts';

/** The routes of `/api/crm/quotation`. All of them also respond 401, 403, 429, 500 and 503. */
export const quotationRoutes = new Hono<Env>()

  // List quotations, newest first. Responds 200, 400.
  .get('/', list(quotationTable, QuotationQuery))

  // Create a quotation. Responds 201, 400, 413, 415, 422.
  .post('/', create(quotationTable, QuotationCreate))

  // Retrieve a quotation. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(quotationTable))

  // Update a quotation. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(quotationTable, QuotationUpdate));
