// Generated from spec/accounts/rule-brand.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import { RuleBrandCreate, RuleBrandQuery, ruleBrandTable, RuleBrandUpdate } from './rule-brand.schema.ts';

/** The routes of `/api/accounts/rule-brand`. All of them also answer 401, 403, 429, 500 and 503. */
export const ruleBrandRoutes = new Hono<Env>()

  // List the rule brands of a parent, by idx. Answers 200, 400.
  .get('/', listItems(ruleBrandTable, RuleBrandQuery))

  // Create a rule brand. Answers 201, 400, 409, 413, 415, 422.
  .post('/', create(ruleBrandTable, RuleBrandCreate))

  // Update a rule brand. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(ruleBrandTable, RuleBrandUpdate))

  // Delete a rule brand. Answers 200, 400, 404.
  .delete('/:id', remove(ruleBrandTable))

  // Reorder the rule brands of a parent. Answers 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(ruleBrandTable));
