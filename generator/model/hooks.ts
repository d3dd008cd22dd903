import type { Hooks, Resource } from './model.ts';
import { pascalCase } from './names.ts';

/** The codes that a resource refuses an operation with, and their meanings; undefined if no hook runs before it, or has any. */
export function refusalsOf({ hooks }: Pick<Resource, 'hooks'>, operation: string): Hooks['codes'] | undefined {
  if (!hooks?.exports.includes(`before${pascalCase(operation)}`)) return undefined;
  return Object.keys(hooks.codes).length > 0 ? hooks.codes : undefined;
}

/** The codes of all hooks of a service. */
export const ownCodes = (resources: readonly Resource[]): string[] => [
  ...new Set(resources.flatMap(({ hooks }) => Object.keys(hooks?.codes ?? {}))),
];

/** The operations of a resource as the names of hooks have them, like `Create` of `beforeCreate`. */
export const hookOperations = ({
  kind,
  transitions,
  archive,
}: Pick<Resource, 'kind' | 'transitions' | 'archive'>): string[] =>
  kind === 'singleton'
    ? ['Update']
    : [
        'Create',
        'Update',
        'Delete',
        ...(archive ? ['Archive', 'Unarchive'] : []),
        ...transitions.map(({ name }) => pascalCase(name)),
      ];
