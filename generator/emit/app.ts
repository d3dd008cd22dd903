import type { Resource, Service } from '../model/model.ts';
import { folders, serviceFile } from '../read/paths.ts';
import type { Kind } from '../../runtime/kernel/model/operations.ts';
import { inputName } from '../model/names.ts';
import { isListed } from '../model/operations.ts';
import { aligned, call, type Expression, objectType, print, string, typeArguments, union } from './expression.ts';
import { docComment, importAll, importOf, type TypeScriptFile } from './file.ts';
import { identifiers, moduleOf, runtimeAt } from './identifiers.ts';

/** A file of one line per resource, so that a new resource is one new line. */
function emitExports(
  service: Service,
  part: 'schema' | 'routes',
  exportOf: (resource: Resource) => string,
): TypeScriptFile {
  const lines = service.resources.map(
    (resource) => `export { ${exportOf(resource)} } from '${moduleOf(resource, part)}';`,
  );
  return { source: `${folders.spec}/`, imports: [], groups: [lines] };
}

/** `routes.ts`: the routes of every resource. */
export const emitRoutesList = (service: Service): TypeScriptFile =>
  emitExports(service, 'routes', (resource) => identifiers(resource).routes);

/** `tables.ts`: the table of every resource. */
export const emitTables = (service: Service): TypeScriptFile =>
  emitExports(service, 'schema', (resource) => identifiers(resource).table);

const typesOf = {
  record: 'TypesOf',
  'line-item': 'ItemTypesOf',
  singleton: 'SettingsTypesOf',
} as const satisfies Record<Kind, string>;

/** The types of a resource, as hooks read and write it. */
function typeOf(resource: Resource): Expression {
  const { kind, parent, fields, transitions, archive } = resource;
  const module = `typeof import(${print(string(moduleOf(resource, 'schema')))})`;
  const { type, query } = identifiers(resource);
  const listQuery = isListed(resource) ? `${module}.${query}` : 'never';
  const parents = parent?.resource === undefined ? [] : [string(parent.resource)];
  const inputs = [
    ...(archive ? ['archive', 'unarchive'] : []).map((name) => [name, 'null']),
    ...transitions.map((move) => [move.name, move.input ? `${module}.${inputName(resource, move)}` : 'null']),
  ];
  const moved = new Set(transitions.flatMap(({ field, to }) => (to === undefined ? [] : [field])));
  const closed = [
    ...fields.flatMap(({ name, readOnly, computed, sequence, always }) =>
      (readOnly && moved.has(name)) || computed !== undefined || sequence || always ? [string(name)] : [],
    ),
    ...(archive ? [string('archived_at')] : []),
  ];
  const moves = inputs.length > 0 ? objectType(Object.fromEntries(inputs)) : 'unknown';
  const ofRecord = closed.length > 0 ? [moves, union(closed)] : inputs.length > 0 ? [moves] : [];
  const more = { record: [listQuery, ...ofRecord], 'line-item': [listQuery, ...parents], singleton: [] };
  return typeArguments(typesOf[kind], `${module}.${type}`, ...more[kind]);
}

/** `resources.ts`: the types of every resource, for hooks; not where nothing has hooks. */
export function emitResources(service: Service): TypeScriptFile | undefined {
  if (service.resources.every(({ hooks }) => hooks === undefined)) return undefined;
  const lines = service.resources.map((resource) => {
    return print(aligned(2, [string(resource.key), ': ', typeOf(resource), ';']));
  });
  const head = [
    docComment('The types of every resource, by its path: hooks read and write them.'),
    'export interface Resources {',
  ];
  return {
    source: `${folders.spec}/`,
    imports: [
      importOf(runtimeAt(0), [...new Set(service.resources.map(({ kind }) => typesOf[kind]))], { types: true }),
    ],
    groups: [[[...head, ...lines, '}'].join('\n')]],
  };
}

/** `app.ts`: where every resource is mounted. One app per resource keeps the types small. */
export function emitApp(service: Service): TypeScriptFile {
  const mounts = service.resources.map((resource, index) => [
    call('.route', [string(resource.path), `routes.${identifiers(resource).routes}`]),
    index === service.resources.length - 1 ? ';' : '',
  ]);
  const first = 'export const app = new Hono<Env>()';
  // The formatter keeps a chain of one link on its first line.
  const app =
    mounts.length === 1
      ? print([first, ...mounts])
      : [first, ...mounts.map((mount) => print(aligned(2, mount)))].join('\n');
  const definition = [
    'export const service: Service = {',
    print(['  name: ', string(service.name), ',']),
    print(['  title: ', string(service.title), ',']),
    '  app,',
    '  tables: Object.values(tables),',
    ...(service.mcp ? [] : ["  off: ['mcp'],"]),
    "  openapi: new URL('./openapi.json', import.meta.url),",
    '};',
  ];
  return {
    source: `${folders.spec}/`,
    imports: [
      importOf('hono', ['Hono']),
      importOf(runtimeAt(0), ['Env', 'Service'], { types: true }),
      importAll('./routes.ts', 'routes'),
      importAll('./tables.ts', 'tables'),
    ],
    groups: [[app], definition],
  };
}

/** `server.ts`: hands the service to the runtime. */
export const emitServer = (): TypeScriptFile => ({
  source: serviceFile(),
  imports: [importOf(runtimeAt(0), ['main']), importOf('./app.ts', ['service'])],
  groups: [['await main(service);']],
});
