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
