import { describe, expect, test } from 'vitest';

import { CliError } from '../../runtime/kernel/model/errors.ts';
import { endpointOf, endpointsOf } from '../../runtime/kernel/api/endpoint.ts';
import { allows, requireScopes, scopesFor, scopesOf } from '../../runtime/features/keys/scopes.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { service } from '../service/generated/app.ts';

const tables = new Map(service.tables.map((table) => [table.path, table]));

test.each([
  ['sales/order', 'list', 'read'],
  ['sales/order', 'retrieve', 'read'],
  ['sales/order', 'create', 'write'],
  ['sales/order', 'update', 'write'],
  ['sales/order', 'delete', 'write'],
  ['sales/order-line', 'reorder', 'write'],
  ['sales/order', 'submit', 'transition'],
  ['workshop/booking-settings', 'retrieve', 'read'],
  ['workshop/booking-settings', 'update', 'write'],
] as const)('%s: %s needs the action %s', (path, operation, action) => {
  const [area = ''] = path.split('/');
  expect(endpointOf(tables.get(path) as Table, operation).operation.action).toBe(action);
  const giving = ['*', area, path].flatMap((name) => [name, `${name}:${action}`]);
  expect(scopesFor(action, path).toSorted()).toEqual(giving.toSorted());
  for (const scope of giving) expect(allows(new Set([scope, 'stock']), action, path)).toBe(true);
  const others = ['read', 'write', 'transition'].filter((one) => one !== action).map((one) => `${area}:${one}`);
  const short = [`${path}s`, area.slice(0, 2), area.toUpperCase(), 'order', `${area}/`, `${area}/*`, 'stock', ''];
  expect(allows(new Set([...short, ...others]), action, path)).toBe(false);
});

test('every route of a service is an operation of one of its tables', () => {
  const routes = service.app.routes.map(({ method, path }) => `${method} ${path}`);
  const endpoints = service.tables.flatMap(endpointsOf);
  const patterns = endpoints.map(({ operation, pattern }) => `${operation.method} ${pattern}`);
  expect(patterns.toSorted()).toEqual(routes.toSorted());
});

describe('the scopes of a new key', () => {
  const known = scopesOf(service.tables);
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
    ['warehouse', 'There is no area "warehouse": the areas are assets, billing,'],
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
