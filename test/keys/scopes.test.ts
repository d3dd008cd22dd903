import { describe, expect, test } from 'vitest';

import { CliError } from '../../runtime/model/errors.ts';
import { allows, permissionOf, requireScopes, scopesOf } from '../../runtime/auth/scopes.ts';
import { service } from '../service/generated/app.ts';

const base = '/api/crm/lead';

test.each([
  ['GET', base, 'read'],
  ['GET', `${base}/:id`, 'read'],
  ['POST', base, 'write'],
  ['PATCH', `${base}/:id`, 'write'],
  ['DELETE', `${base}/:id`, 'write'],
  ['POST', `${base}/reorder`, 'write'],
  ['POST', `${base}/:id/submit`, 'transition'],
])('%s %s needs crm/lead:%s', (method, path, action) => {
  const permission = permissionOf(method, path, '/api');
  expect(permission.scope).toBe(`crm/lead:${action}`);
  const giving = ['*', 'crm', 'crm/lead'].flatMap((name) => [name, `${name}:${action}`]);
  expect(permission.accepted.toSorted()).toEqual(giving.toSorted());
  for (const scope of giving) expect(allows(new Set([scope, 'stock']), permission)).toBe(true);
  const others = ['read', 'write', 'transition'].filter((one) => one !== action);
  const short = ['crm/leads', 'cr', 'CRM', 'lead', 'crm/', 'crm/*', 'stock', '', ...others.map((one) => `crm:${one}`)];
  expect(allows(new Set(short), permission)).toBe(false);
});

test('what belongs to no resource needs every scope', () => {
  expect(permissionOf('POST', '/api/batch', '/api')).toEqual({ scope: '*', accepted: ['*'] });
  expect(permissionOf('ALL', '/*', '/api').accepted).toEqual(['*']);
});

test('each operation of a service has a permission of its resource', () => {
  const { app, basePath } = service;
  for (const { method, path } of app.routes) {
    const [, area, resource] = /^\/api\/([^/]+)\/([^/]+)/.exec(path) as unknown as string[];
    expect(permissionOf(method, path, basePath).scope).toMatch(`${area}/${resource}:`);
  }
});

describe('the scopes of a new key', () => {
  const known = scopesOf(service);
  const errorsOf = (...scopes: string[]): string => {
    try {
      requireScopes(scopes, known);
    } catch (error) {
      expect(error).toBeInstanceOf(CliError);
      return (error as CliError).message;
    }
    return '';
  };

  test('may be everything, areas and resources, each with an action', () => {
    expect(errorsOf('*')).toBe('');
    expect(errorsOf('*:read', 'crm', 'crm/lead:write', 'sales:transition', 'sales/order')).toBe('');
  });

  test.each([
    ['crn', 'There is no area "crn"; did you mean "crm"?'],
    ['warehouse', 'There is no area "warehouse": the areas are assets, crm, files,'],
    ['crm/leed:read', 'There is no resource "crm/leed"; did you mean "crm/lead"?'],
    ['crm:reed', 'There is no action "reed" of "crm"; did you mean "read"?'],
    ['crm:', 'There is no action "" of "crm": the actions are read, write, transition.'],
    ['crm:read:write', 'There is no action "read:write" of "crm"'],
    ['crm/lead:transition', '"crm/lead" has no transition operation.'],
    ['', 'There is no area ""'],
    ['crm lead', 'There is no area "crm lead"'],
  ])('are not %j', (scope, message) => {
    expect(errorsOf('*', scope)).toContain(message);
  });

  test('are named all at once where they are wrong, each once', () => {
    expect(errorsOf('crm', 'crm', 'crm', 'crn', 'stok').split('\n')).toHaveLength(4);
  });
});
