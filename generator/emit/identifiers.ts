import type { Resource } from '../model.ts';
import { camelCase, pascalCase } from '../names.ts';

/** The names that a resource's generated files give and use. */
export const identifiers = ({ name }: Resource) => ({
  type: pascalCase(name),
  create: `${pascalCase(name)}Create`,
  update: `${pascalCase(name)}Update`,
  table: `${camelCase(name)}Table`,
  routes: `${camelCase(name)}Routes`,
});

/** The module of a resource's schemas or routes, as another generated file in `generated/` imports it. */
export const moduleOf = ({ key }: Resource, part: 'schema' | 'routes'): string => `./${key}.${part}.ts`;

/** The last segment of a resource's path. */
export const segmentOf = ({ key }: Resource): string => key.slice(key.indexOf('/') + 1);
