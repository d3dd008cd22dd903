import { problemPage, problemPath } from '../../kernel/api/problem.ts';
import { refuseQuery } from '../../kernel/api/query.ts';
import type { Routes } from '../../kernel/api/service.ts';
import { codesOf, refused } from './hooks.ts';

/** Adds the pages of the codes that hooks refuse with. */
export const mountProblems: Routes = (app, { tables }) => {
  const pattern = problemPath(':code');
  app.get(pattern, (c, next) => {
    const code = c.req.param('code') as string;
    const meaning = tables.map(codesOf).find((codes) => Object.hasOwn(codes, code))?.[code];
    if (meaning === undefined) return next();
    c.env.outgoing.pattern = pattern;
    refuseQuery(c.req.url);
    return problemPage({ ...refused, code, meaning });
  });
};
