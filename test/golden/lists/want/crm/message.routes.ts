// Generated from spec/crm/message.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env } from '../../runtime/index.ts';
import { MessageCreate, messageTable } from './message.schema.ts';

/** The routes of `/api/crm/message`. All of them also answer 401, 403, 429, 500 and 503. */
export const messageRoutes = new Hono<Env>()

  // Create a message. Answers 201, 400, 413, 415, 422.
  .post('/', create(messageTable, MessageCreate));
