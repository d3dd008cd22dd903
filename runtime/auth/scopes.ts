import { UsageError } from '../model/errors.ts';
// A table does not know its path yet.
// oxlint-disable-next-line no-restricted-imports
import type { Service } from '../api/service.ts';
import { didYouMean } from '../model/suggest.ts';

/** What an operation does: `write` is create, update, delete and reorder. */
export type Action = 'read' | 'write' | 'transition';

export const actions: readonly Action[] = ['read', 'write', 'transition'];

/** The scope of everything. */
export const everything = '*';

/** The permission that an operation requires. */
export interface Permission {
  /** The narrowest scope that gives it, like `crm/lead:read`. */
  readonly scope: string;
  /** All scopes that give it, the one of everything first. */
  readonly accepted: readonly string[];
}

/** Whether one of the scopes gives a permission. */
export const allows = (scopes: ReadonlySet<string>, { accepted }: Permission): boolean =>
  accepted.some((scope) => scopes.has(scope));

const onlyEverything: Permission = { scope: everything, accepted: [everything] };

/**
 * The permission that a route requires: of `/api/crm/lead/:id/submit`, the area is `crm`, the resource `lead`, and the
 * action a transition.
 *
 * @param path with its parameters, under `basePath`
 */
export function permissionOf(method: string, path: string, basePath: string): Permission {
  const [area, resource, record, transition] = path.slice(basePath.length + 1).split('/');
  // Nobody has said who may do what is no resource's.
  if (area === undefined || resource === undefined) return onlyEverything;
  const isTransition = method === 'POST' && record?.startsWith(':') === true && transition !== undefined;
  const action: Action = method === 'GET' ? 'read' : isTransition ? 'transition' : 'write';
  const names = [everything, area, `${area}/${resource}`];
  return {
    scope: `${area}/${resource}:${action}`,
    accepted: names.flatMap((name) => [name, `${name}:${action}`]),
  };
}

/** Every scope that gives a permission of a service. */
export const scopesOf = ({ app, basePath }: Pick<Service, 'app' | 'basePath'>): ReadonlySet<string> =>
  new Set(app.routes.flatMap(({ method, path }) => permissionOf(method, path, basePath).accepted));

/**
 * Checks the scopes that a key is to have.
 *
 * @param known those of the service
 * @throws UsageError that names everything that is wrong with them
 */
export function requireScopes(scopes: readonly string[], known: ReadonlySet<string>): void {
  const errors = new Set(
    scopes
      .filter((scope, index) => scopes.indexOf(scope) < index)
      .map((scope) => `${JSON.stringify(scope)} is given twice.`),
  );
  for (const scope of scopes) if (!known.has(scope)) errors.add(whyUnknown(scope, known));
  if (errors.size > 0) throw new UsageError(['The scopes are not valid:', ...errors].join('\n  '));
}

function whyUnknown(scope: string, known: ReadonlySet<string>): string {
  const [name = '', action, ...rest] = scope.split(':');
  const names = [...known].filter((one) => !one.includes(':'));
  const quoted = JSON.stringify(name);
  if (!known.has(name)) {
    const what = name.includes('/') ? 'no resource' : 'no area';
    return `There is ${what} ${quoted}${didYouMean(name, names) || `: the areas are ${names.filter((one) => /^[^/*]+$/.test(one)).join(', ')}.`}`;
  }
  if (rest.length === 0 && actions.some((one) => one === action)) return `${quoted} has no ${action} operation.`;
  const text = [action, ...rest].join(':');
  return `There is no action ${JSON.stringify(text)} of ${quoted}${didYouMean(text, actions) || `: the actions are ${actions.join(', ')}.`}`;
}
