import { posix } from 'node:path';
import type { BodyName } from '../../runtime/kernel/model/operations.ts';
import type { Resource } from '../model/model.ts';
import { camelCase, pascalCase, typeName } from '../model/names.ts';
import { folders, isInstalled, packageName } from '../read/paths.ts';

/** The names that a resource's generated files give and use. */
export const identifiers = ({ name }: Pick<Resource, 'name'>) => ({
  type: typeName(name),
  bodies: {
    create: `${pascalCase(name)}Create`,
    update: `${pascalCase(name)}Update`,
    reorder: 'Reorder',
  } satisfies Record<Exclude<BodyName, 'input'>, string>,
  table: `${camelCase(name)}Table`,
  query: `${pascalCase(name)}Query`,
  routes: `${camelCase(name)}Routes`,
  logic: `${camelCase(name)}Logic`,
  hooks: `${pascalCase(name)}Hooks`,
  client: {
    filter: `${pascalCase(name)}Filter`,
    sort: `${pascalCase(name)}Sort`,
    expand: `${pascalCase(name)}Expand`,
    operations: `${camelCase(name)}Operations`,
  },
});

/** The function of the runtime that makes the schema of a body from the record; that of a new order is the runtime's. */
export const bodyFunctions: Readonly<Record<Exclude<BodyName, 'input'>, string | undefined>> = {
  create: 'creatable',
  update: 'updatable',
  reorder: undefined,
};

/** The module of a resource's schemas, routes or client, as another generated file in `generated/` imports it. */
export const moduleOf = ({ key }: Resource, part: 'schema' | 'routes' | 'client' | 'rules'): string =>
  `./${key}.${part}.ts`;

/** The typed client of another resource, as the files of a resource import it. */
export function clientBeside({ key }: Resource, other: { readonly key: string }): string {
  const path = posix.relative(posix.dirname(key), other.key);
  return `${path.startsWith('.') ? '' : './'}${path}.client.ts`;
}

/** A file in the project, by its path, as a generated file imports it, which is `depth` folders below the folder of all. */
export const projectFileAt = (depth: number, path: string): string =>
  '../'.repeat(folders.generated.split('/').length + depth) + path;

/** The folders of the runtime's parts, by the names that the package exports them under. */
const folderOf = { '': '', '/client': '/client', '/rules': '/features/rules/expressions' } as const;

/** A part of the runtime as a generated file imports it, which is `depth` folders below the folder of all. */
const partAt = (depth: number, part: keyof typeof folderOf): string =>
  isInstalled ? packageName + part : projectFileAt(depth, `runtime${folderOf[part]}/index.ts`);

export const runtimeAt = (depth: number): string => partAt(depth, '');

/** The functions of the runtime that rules call. */
export const rulesAt = (depth: number): string => partAt(depth, '/rules');

/** The runtime's client. */
export const clientAt = (depth: number): string => partAt(depth, '/client');
