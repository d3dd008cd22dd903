import { UsageError } from '../model/errors.ts';
import { type Action, actions, operationsOf } from '../model/operations.ts';
import { didYouMean } from '../model/suggest.ts';
import type { Table } from '../model/table.ts';

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

/** The permission that the operations of an action require: of the area of a table, or of the table itself. */
export function permissionOf({ path }: Pick<Table, 'path'>, action: Action): Permission {
  const [area = ''] = path.split('/');
  const names = [everything, area, path];
  return { scope: `${path}:${action}`, accepted: names.flatMap((name) => [name, `${name}:${action}`]) };
}

/** The permission to read events: of the resources that a key may read. */
export const eventsPermission: Permission = {
  scope: 'events:read',
  accepted: [everything, `${everything}:read`, 'events', 'events:read'],
};

/** Whether a key may read every resource. */
export const readsAll = (scopes: ReadonlySet<string>): boolean =>
  scopes.has(everything) || scopes.has(`${everything}:read`);

/** Every scope that gives a permission of a service. */
export const scopesOf = (tables: readonly Table[]): ReadonlySet<string> =>
  new Set([
    ...tables.flatMap((table) => operationsOf(table).flatMap(({ action }) => permissionOf(table, action).accepted)),
    ...eventsPermission.accepted,
  ]);

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
    const areas = names.filter((one) => /^[^/*]+$/.test(one)).toSorted();
    return `There is ${what} ${quoted}${didYouMean(name, names) || `: the areas are ${areas.join(', ')}.`}`;
  }
  if (rest.length === 0 && actions.some((one) => one === action)) return `${quoted} has no ${action} operation.`;
  const text = [action, ...rest].join(':');
  return `There is no action ${JSON.stringify(text)} of ${quoted}${didYouMean(text, actions) || `: the actions are ${actions.join(', ')}.`}`;
}
