// Generated from spec/help-desk/answer.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems } from '../../runtime/index.ts';
import { AnswerCreate, AnswerQuery, answerTable } from './answer.schema.ts';

/** The routes of `/api/help-desk/answer`. All of them also respond 401, 403, 429, 500 and 503. */
export const answerRoutes = new Hono<Env>()

  // List the answers of a parent, by idx. Responds 200, 400.
  .get('/', listItems(answerTable, AnswerQuery))

  // Create an answer. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(answerTable, AnswerCreate));
