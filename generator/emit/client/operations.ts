import { hasCounts, type Resource } from '../../model/model.ts';
import { type Endpoint, endpointsOf, isList, isNamed } from '../../model/operations.ts';
import { aligned, assignment, call, type Expression, print, string, typeArguments, union } from '../expression.ts';
import { capitalize, inputName } from '../../model/names.ts';
import { docComment } from '../file.ts';
import { identifiers } from '../identifiers.ts';
import { expandArguments, listArguments } from './types.ts';

/** The function of the client that makes an operation. */
function makerOf({ kind, list }: Resource, endpoint: Endpoint): string {
  if (!isList(endpoint)) return endpoint.handler;
  const lists = kind === 'line-item' ? 'itemLists' : 'lists';
  return list.search.length > 0 ? `searched${capitalize(lists)}` : lists;
}

/** The type arguments of that function. */
function typesOf(resource: Resource, endpoint: Endpoint): readonly string[] {
  const { type, bodies } = identifiers(resource);
  const { method, body, response, transition } = endpoint;
  if (isList(endpoint)) return listArguments(resource);
  if (response === 'deleted') return [];
  if (method === 'GET') return [type, ...expandArguments(resource)];
  if (body === 'input') return transition ? [type, inputName(resource, transition)] : [];
  return body === undefined || body === 'reorder' ? [type] : [type, bodies[body]];
}

/** An operation as a property, or two for a list: a page of it, and all of its records. */
function printOperation(resource: Resource, endpoint: Endpoint): string {
  const { name, property, comment } = endpoint;
  const make = typeArguments(`client.${makerOf(resource, endpoint)}`, ...typesOf(resource, endpoint));
  const made = call(make, ['requests', 'path', ...(isNamed(endpoint) ? [string(name)] : [])]);
  return `${docComment(comment, '    ')}\n${print(aligned(4, [isList(endpoint) ? '...' : `${property}: `, made, ',']))}`;
}

/** The operation that counts a list; nothing where none is counted. */
function countOperation(resource: Resource): string[] {
  if (!hasCounts(resource)) return [];
  const { kind, list, plural } = resource;
  const [type, filter] = listArguments(resource) as [string, string];
  const names = (all: readonly string[]): Expression => (all.length > 0 ? union(all.map(string)) : 'never');
  const args = [type, filter, names(list.count), names(list.sum), ...(list.search.length > 0 ? ['string'] : [])];
  const make = typeArguments(`client.${kind === 'line-item' ? 'itemCounts' : 'counts'}`, ...args);
  const doc = docComment(`Count ${plural}.`, '    ');
  return [`${doc}\n${print(aligned(4, ['count: ', call(make, ['requests', 'path']), ',']))}`];
}

/** The function that makes the operations of a resource. */
export function operationsFunction(resource: Resource): string {
  return [
    docComment(`The operations of \`${resource.path}\`.`),
    `export const ${identifiers(resource).client.operations} = (requests: client.Requests) => {`,
    print(aligned(2, [assignment('const path', string(resource.path)), ';'])),
    '  return {',
    [...endpointsOf(resource).map((endpoint) => printOperation(resource, endpoint)), ...countOperation(resource)].join(
      '\n\n',
    ),
    '  };',
    '};',
  ].join('\n');
}
