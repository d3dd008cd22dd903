import { UsageError } from '../../kernel/model/errors.ts';
import { type Action, actions, operationsOf } from '../../kernel/model/operations.ts';
import { didYouMean } from '../../kernel/model/suggest.ts';
import type { Table } from '../../kernel/model/table.ts';

/** The scope of everything. */
export const everything = '*';

/** All scopes that allow an action with the records at a path: of everything, of its area, or of itself. */
export function scopesFor(action: Action, path: string): readonly string[] {
  const [area = ''] = path.split('/');
  return [everything, area, path].flatMap((name) => [name, `${name}:${action}`]);
}

/** Whether one of the scopes allows an action. */
export const allows = (scopes: ReadonlySet<string>, action: Action, path: string): boolean =>
  scopesFor(action, path).some((scope) => scopes.has(scope));

/** Every scope that allows something in a service. */
export const scopesOf = (tables: readonly Table[]): ReadonlySet<string> =>
  new Set([
    ...tables.flatMap(({ path, ...table }) => operationsOf(table).flatMap(({ action }) => scopesFor(action, path))),
    ...scopesFor('read', 'events'),
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
