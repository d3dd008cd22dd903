// Generated from spec/support/issue.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { IssueCreate, IssueQuery, issueTable, IssueUpdate } from './issue.schema.ts';

/** The routes of `/api/support/issue`. All of them also respond 401, 403, 429, 500 and 503. */
export const issueRoutes = new Hono<Env>()

  // List issues, newest first. Responds 200, 400.
  .get('/', list(issueTable, IssueQuery))

  // Create an issue. Responds 201, 400, 413, 415, 422.
  .post('/', create(issueTable, IssueCreate))

  // Retrieve an issue. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(issueTable))

  // Update an issue. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(issueTable, IssueUpdate))

  // Delete an issue. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(issueTable));
