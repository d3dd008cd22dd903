// Generated from spec/help-desk/question.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, update } from '../../runtime/index.ts';
import { QuestionCreate, QuestionQuery, questionTable, QuestionUpdate } from './question.schema.ts';

/** The routes of `/api/help-desk/question`. All of them also respond 401, 403, 429, 500 and 503. */
export const questionRoutes = new Hono<Env>()

  // List questions, newest first. Responds 200, 400.
  .get('/', list(questionTable, QuestionQuery))

  // Create a question. Responds 201, 400, 413, 415, 422.
  .post('/', create(questionTable, QuestionCreate))

  // Update a question. Responds 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(questionTable, QuestionUpdate));
