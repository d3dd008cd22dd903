import { type Resource, segmentOf } from '../model/model.ts';
import { type Endpoint, endpointsOf, isList, isRetrieve, sharedStatuses } from '../model/operations.ts';
import { listed } from '../model/names.ts';
import { aligned, call, print, string } from './expression.ts';
import { docComment, importOf, type TypeScriptFile, wrapped } from './file.ts';
import { bodyFunctions, identifiers, runtimeAt } from './identifiers.ts';

type Names = ReturnType<typeof identifiers>;

/** The schemas of a resource that a handler takes. */
function schemasOf(endpoint: Endpoint, { bodies, query }: Names): string[] {
  const { body } = endpoint;
  if (isList(endpoint)) return [query];
  return body && bodyFunctions[body] !== undefined ? [bodies[body]] : [];
}

/** `sharedStatuses`, in a sentence. */
const shared = listed(sharedStatuses.map(String));

function printRoute(endpoint: Endpoint, names: Names, end: string): string {
  const { name, method, path, handler, comment, status, failures } = endpoint;
  const args = [names.table, ...schemasOf(endpoint, names), ...(handler === 'change' ? [string(name)] : [])];
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
    printRoute(endpoint, names, index === endpoints.length - 1 ? ';' : ''),
  );
  return {
    source: resource.source,
    imports: [
      importOf('hono', ['Hono']),
      importOf(runtimeAt(1), new Set(['type Env', ...endpoints.map(({ handler }) => handler)])),
      importOf(
        `./${segmentOf(resource)}.schema.ts`,
        new Set([names.table, ...endpoints.flatMap((endpoint) => schemasOf(endpoint, names))]),
      ),
    ],
    groups: [[[head, ...links].join('\n\n')]],
  };
}
