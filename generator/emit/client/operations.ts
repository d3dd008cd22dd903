import type { Operation } from '../../language.ts';
import type { Resource } from '../../model.ts';
import { type Endpoint, endpointsOf } from '../../operations.ts';
import { aligned, assignment, call, print, string, typeArguments } from '../expression.ts';
import { docComment } from '../file.ts';
import { identifiers } from '../identifiers.ts';
import { expandArguments, listArguments } from './types.ts';

/** The function of the client that makes an operation, and its type arguments. */
type Maker = (resource: Resource) => readonly [make: string, types: readonly string[]];

/** One row per operation. A new one does not compile until it has its row. */
const makers: { readonly [O in Operation]: Maker } = {
  list: (resource) => {
    const isItem = resource.kind === 'line-item';
    const isSearched = resource.list.search.length > 0;
    const make = isSearched ? (isItem ? 'searchedItemLists' : 'searchedLists') : isItem ? 'itemLists' : 'lists';
    return [make, listArguments(resource)];
  },
  create: (resource) => ['create', [identifiers(resource).type, identifiers(resource).bodies.create]],
  retrieve: (resource) => [
    resource.kind === 'singleton' ? 'retrieveSingleton' : 'retrieve',
    [identifiers(resource).type, ...expandArguments(resource)],
  ],
  update: (resource) => ['update', [identifiers(resource).type, identifiers(resource).bodies.update]],
  delete: () => ['remove', []],
  reorder: (resource) => ['reorder', [identifiers(resource).type]],
};

/** An operation as a property, or two for a list: a page of it, and all of its records. */
function printOperation(resource: Resource, { name, path, states, comment, isList }: Endpoint): string {
  const [make, types] = states ? ['transition', [identifiers(resource).type]] : makers[name as Operation](resource);
  const action = states ? [string(path.slice(path.lastIndexOf('/') + 1))] : [];
  const made = call(typeArguments(`client.${make}`, ...types), ['requests', 'path', ...action]);
  return `${docComment(comment, '    ')}\n${print(aligned(4, [isList ? '...' : `${name}: `, made, ',']))}`;
}

/** The function that makes the operations of a resource. */
export function operationsFunction(resource: Resource): string {
  return [
    docComment(`The operations of \`${resource.path}\`.`),
    `export const ${identifiers(resource).client.operations} = (requests: client.Requests) => {`,
    print(aligned(2, [assignment('const path', string(resource.path)), ';'])),
    '  return {',
    endpointsOf(resource)
      .map((endpoint) => printOperation(resource, endpoint))
      .join('\n\n'),
    '  };',
    '};',
  ].join('\n');
}
