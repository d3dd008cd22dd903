import type { Resource } from '../model.ts';
import { memoize } from '../memoize.ts';
import { camelCase, pascalCase } from '../names.ts';
import type { Body } from '../operations.ts';
import { isInstalled, packageName } from '../package.ts';
import { folders } from '../paths.ts';

/** The names that a resource's generated files give and use. */
export const identifiers = memoize(({ name }: Resource) => ({
  type: pascalCase(name),
  bodies: {
    create: `${pascalCase(name)}Create`,
    update: `${pascalCase(name)}Update`,
    reorder: 'Reorder',
  } satisfies Record<Body, string>,
  table: `${camelCase(name)}Table`,
  query: `${pascalCase(name)}Query`,
  routes: `${camelCase(name)}Routes`,
}));

/** The function of the runtime that makes the schema of a body from the record; that of a new order is the runtime's. */
export const bodyFunctions: Readonly<Record<Body, string | undefined>> = {
  create: 'creatable',
  update: 'updatable',
  reorder: undefined,
};

/** The module of a resource's schemas or routes, as another generated file in `generated/` imports it. */
export const moduleOf = ({ key }: Resource, part: 'schema' | 'routes'): string => `./${key}.${part}.ts`;

/** The runtime as a generated file imports it, which is `depth` folders below the folder of all. */
export const runtimeAt = (depth: number): string =>
  isInstalled ? packageName : `${'../'.repeat(folders.generated.split('/').length + depth)}runtime/index.ts`;
