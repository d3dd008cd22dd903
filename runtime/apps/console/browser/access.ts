/** The action of an operation, as scopes name it: `write` is create, update, delete and reorder. */
export type Action = 'read' | 'write' | 'transition';

/** The key in use: the answer of `/api/key`. */
export interface Key {
  readonly name: string;
  readonly organization: string;
  /** Like `*`, `crm`, `crm/lead:read`. */
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
}

/** Whether a key may do something with a resource. @param route of the resource, like `crm/lead` */
export function allows({ scopes }: Key, route: string, action: Action): boolean {
  const area = route.split('/')[0] as string;
  return ['*', area, route].some((name) => scopes.includes(name) || scopes.includes(`${name}:${action}`));
}
