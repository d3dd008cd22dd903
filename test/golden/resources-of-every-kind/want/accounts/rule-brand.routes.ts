// Generated from spec/accounts/rule-brand.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems } from '../../runtime/index.ts';
import { RuleBrandCreate, RuleBrandQuery, ruleBrandTable } from './rule-brand.schema.ts';

/** The routes of `/api/accounts/rule-brand`. All of them also respond 401, 403, 429, 500 and 503. */
export const ruleBrandRoutes = new Hono<Env>()

  // List the rule brands of a parent, by idx. Responds 200, 400.
  .get('/', listItems(ruleBrandTable, RuleBrandQuery))

  // Create a rule brand. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(ruleBrandTable, RuleBrandCreate));
