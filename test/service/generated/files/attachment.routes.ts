// Generated from spec/files/attachment.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { AttachmentCreate, AttachmentQuery, attachmentTable, AttachmentUpdate } from './attachment.schema.ts';

/** The routes of `/api/files/attachment`. All of them also answer 401, 403, 429, 500 and 503. */
export const attachmentRoutes = new Hono<Env>()

  // List attachments, newest first. Answers 200, 400.
  .get('/', list(attachmentTable, AttachmentQuery))

  // Create an attachment. Answers 201, 400, 413, 415, 422.
  .post('/', create(attachmentTable, AttachmentCreate))

  // Retrieve an attachment. Answers 200, 400, 404.
  .get('/:id', retrieve(attachmentTable))

  // Update an attachment. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(attachmentTable, AttachmentUpdate))

  // Delete an attachment. Answers 200, 400, 404.
  .delete('/:id', remove(attachmentTable));
