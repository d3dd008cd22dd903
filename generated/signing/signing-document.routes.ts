// Generated from spec/signing/signing-document.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { change, create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import {
  SigningDocumentCreate,
  SigningDocumentQuery,
  signingDocumentTable,
  SigningDocumentUpdate,
} from './signing-document.schema.ts';

/** The routes of `/api/signing/signing-document`. All of them also respond 401, 403, 429, 500 and 503. */
export const signingDocumentRoutes = new Hono<Env>()

  // List signing documents, newest first. Responds 200, 400.
  .get('/', list(signingDocumentTable, SigningDocumentQuery))

  // Create a signing document. Responds 201, 400, 413, 415, 422.
  .post('/', create(signingDocumentTable, SigningDocumentCreate))

  // Retrieve a signing document. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(signingDocumentTable))

  // Update a signing document. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(signingDocumentTable, SigningDocumentUpdate))

  // Delete a signing document. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(signingDocumentTable))

  // Submit a signing document: status from draft to submitted. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/submit', change(signingDocumentTable, 'submit'))

  // Cancel a signing document: status from submitted to cancelled. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/cancel', change(signingDocumentTable, 'cancel'));
