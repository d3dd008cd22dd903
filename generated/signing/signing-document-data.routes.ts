// Generated from spec/signing/signing-document-data.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import {
  SigningDocumentDataCreate,
  SigningDocumentDataQuery,
  signingDocumentDataTable,
  SigningDocumentDataUpdate,
} from './signing-document-data.schema.ts';

/** The routes of `/api/signing/signing-document-data`. All of them also respond 401, 403, 429, 500 and 503. */
export const signingDocumentDataRoutes = new Hono<Env>()

  // List signing document data, newest first. Responds 200, 400.
  .get('/', list(signingDocumentDataTable, SigningDocumentDataQuery))

  // Create signing document data. Responds 201, 400, 413, 415, 422.
  .post('/', create(signingDocumentDataTable, SigningDocumentDataCreate))

  // Retrieve signing document data. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(signingDocumentDataTable))

  // Update signing document data. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(signingDocumentDataTable, SigningDocumentDataUpdate))

  // Delete signing document data. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(signingDocumentDataTable));
