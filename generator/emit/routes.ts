import { type Resource, segmentOf } from '../model/model.ts';
import { type Endpoint, endpointsOf, isList, isNamed, isRetrieve, sharedStatuses } from '../model/operations.ts';
import { inputName, listed } from '../model/names.ts';
import { aligned, call, print, string } from './expression.ts';
import { docComment, importAll, importOf, type TypeScriptFile, wrapped } from './file.ts';
import { bodyFunctions, identifiers, projectFileAt, runtimeAt } from './identifiers.ts';

function schemasOf(resource: Resource, endpoint: Endpoint): string[] {
  const { bodies, query } = identifiers(resource);
  const { body, transition } = endpoint;
  if (isList(endpoint)) return [query];
  if (body === 'input') return transition ? [inputName(resource, transition)] : [];
  return body && bodyFunctions[body] !== undefined ? [bodies[body]] : [];
}

/** `sharedStatuses`, in a sentence. */
const shared = listed(sharedStatuses.map(String));

function printRoute(resource: Resource, endpoint: Endpoint, end: string): string {
  const { name, method, path, handler, comment, status, failures } = endpoint;
  const args = [
    identifiers(resource).table,
    ...(isNamed(endpoint) ? [string(name)] : []),
    ...schemasOf(resource, endpoint),
  ];
  const link = call(`.${method.toLowerCase()}`, [string(path || '/'), call(handler, args)]);
  const statuses = [status, ...(isRetrieve(endpoint) ? [304] : []), ...failures];
  const text = `${comment} Responds ${statuses.join(', ')}.`;
  return [...wrapped(text, '  // '), print(aligned(2, [link, end]))].join('\n');
}

/** `<area>/<resource>.routes.ts`: one link of the chain per operation, with its body, handler and statuses. */
export function emitRoutes(resource: Resource): TypeScriptFile {
  const names = identifiers(resource);
  const endpoints = endpointsOf(resource);
  const head = [
    docComment(`The routes of \`${resource.path}\`. All of them also respond ${shared}.`),
    `export const ${names.routes} = new Hono<Env>()`,
  ].join('\n');
  const links = endpoints.map((endpoint, index) =>
    printRoute(resource, endpoint, index === endpoints.length - 1 ? ';' : ''),
  );
  const { hooks } = resource;
  const hooksAt = projectFileAt(1, hooks?.file ?? '');
  const use = [call(`useHooks<${names.hooks}>`, [names.table, 'hooks']), ';'];
  return {
    source: resource.source,
    imports: [
      importOf('hono', ['Hono']),
      importOf(
        runtimeAt(1),
        new Set(['type Env', ...endpoints.map(({ handler }) => handler), ...(hooks ? ['useHooks'] : [])]),
      ),
      ...(hooks ? [importAll(hooksAt, 'hooks')] : []),
      importOf(
        `./${segmentOf(resource)}.schema.ts`,
        new Set([
          names.table,
          ...(hooks ? [`type ${names.hooks}`] : []),
          ...endpoints.flatMap((endpoint) => schemasOf(resource, endpoint)),
        ]),
      ),
    ],
    groups: [...(hooks ? [[print(use)]] : []), [[head, ...links].join('\n\n')]],
  };
}
