import type * as runtime from '../runtime/index.ts';
import { maxReorderItems } from '../runtime/model/limits.ts';
import type { Operation } from './language.ts';
import type { Resource, Transition } from './model.ts';
import { camelCase, capitalize, withArticle } from './names.ts';

export type FailureStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 414 | 415 | 422 | 429 | 500 | 503;

/** The body of an operation: one made of the fields, or the new order of line items. */
export type Body = 'create' | 'update' | 'reorder';

/** The content of an operation's answer. */
export type Answer = 'record' | 'list' | 'deleted';

/** The traits of an operation that are the same for every resource. */
interface Traits {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly body?: Body;
  readonly answer: Answer;
  /** It takes the parameters of a list: filters, the order, a search. */
  readonly isList?: true;
}

/** The details of an operation of one resource. */
interface Details {
  /** The path below the resource's: `/`, `/:id`, `/reorder`. */
  readonly path: string;
  /** The function of the runtime that makes the handler. */
  readonly handler: keyof typeof runtime;
  /** The statuses of failures, beside `sharedStatuses`. */
  readonly failures: readonly FailureStatus[];
  /** The sentence above the route. */
  readonly comment: string;
  /** The words of the OpenAPI document, and the names of its parameters in the query. */
  readonly summary: string;
  readonly description: string;
  readonly answerDoc: string;
  readonly query?: readonly string[];
}

interface OperationRow extends Traits {
  /** An operation that the resource must have too, and the message where it has not. */
  readonly needs?: { readonly operation: Operation; readonly words: string };
  readonly of: (resource: Resource) => Details;
}

/** The statuses of every operation under the service's path, beside its own. */
export const sharedStatuses = [401, 403, 429, 500, 503] as const;

const ofBody = [413, 415, 422] as const;

/** One record, in a sentence. A title that is a plural already takes no article. */
const singular = ({ title, plural }: Resource): string => (title === plural ? title : withArticle(title));

/** One record, or the only one. */
const oneOrOnly = (resource: Resource): string =>
  resource.kind === 'singleton' ? `the ${resource.title}` : singular(resource);

/** What a create does with fields that are not sent, and what it asks of them. */
function createDescription({ kind, parent }: Resource): string {
  const absent = 'A field that is not sent gets its default, or null.';
  if (kind !== 'line-item') return absent;
  const place = 'Without an `idx`, the item comes after all others of its parent.';
  return parent?.resource === undefined ? `${absent} ${place}` : `${absent} ${place} The parent must exist.`;
}

/** One row per operation. A new one does not compile until it has its row, and the row until the runtime has its handler. */
export const operations: { readonly [O in Operation]: OperationRow } = {
  list: {
    method: 'get',
    answer: 'list',
    isList: true,
    of: ({ kind, plural }) => ({
      path: '/',
      failures: [400],
      answerDoc: 'A page of the list.',
      ...(kind === 'line-item'
        ? {
            handler: 'listItems',
            comment: `List the ${plural} of a parent, by idx.`,
            summary: `List the ${plural} of a parent`,
            description:
              'Answers a page of the items of one parent, ordered by `idx` and then by creation. A parent that does not exist has none.',
            query: ['Limit', 'Offset'],
          }
        : {
            handler: 'list',
            comment: `List ${plural}, newest first.`,
            summary: `List ${plural}`,
            description:
              'Answers a page of the records that all filters find, the newest first where `sort` says nothing else.',
            query: ['Limit', 'Offset'],
          }),
    }),
  },
  create: {
    method: 'post',
    body: 'create',
    answer: 'record',
    of: (resource) => ({
      path: '/',
      handler: 'create',
      failures: resource.kind === 'line-item' ? [400, 409, ...ofBody] : [400, ...ofBody],
      comment: `Create ${singular(resource)}.`,
      summary: `Create ${singular(resource)}`,
      description: createDescription(resource),
      answerDoc: 'The new record.',
    }),
  },
  retrieve: {
    method: 'get',
    answer: 'record',
    of: (resource) => ({
      ...(resource.kind === 'singleton'
        ? { path: '/', handler: 'retrieveSingleton', failures: [400] }
        : { path: '/:id', handler: 'retrieve', failures: [400, 404] }),
      comment: `Retrieve ${oneOrOnly(resource)}.`,
      summary: `Retrieve ${oneOrOnly(resource)}`,
      description:
        resource.kind === 'singleton'
          ? 'Answers the one record of its kind, which exists from the start.'
          : 'Answers the record with this id.',
      answerDoc: 'The record.',
    }),
  },
  update: {
    method: 'patch',
    body: 'update',
    answer: 'record',
    of: (resource) => ({
      path: '/:id',
      handler: 'update',
      failures: resource.parent?.resource === undefined ? [400, 404, ...ofBody] : [400, 404, 409, ...ofBody],
      comment: `Update ${oneOrOnly(resource)}.`,
      summary: `Update ${oneOrOnly(resource)}`,
      description:
        'Fields that are not sent stay as they are, and null clears an optional one. A read-only field may be sent back as ' +
        'it was read; another value is refused. An update that changes nothing keeps `updated_at`.',
      answerDoc: 'The record as it is now.',
    }),
  },
  delete: {
    method: 'delete',
    answer: 'deleted',
    of: (resource) => ({
      path: '/:id',
      handler: 'remove',
      failures: [400, 404],
      comment: `Delete ${singular(resource)}.`,
      summary: `Delete ${singular(resource)}`,
      description:
        resource.items.length > 0
          ? 'Deletes the record for good, together with its line items.'
          : `Deletes the ${resource.kind === 'line-item' ? 'item' : 'record'} for good.`,
      answerDoc: 'The record is gone.',
    }),
  },
  reorder: {
    method: 'post',
    body: 'reorder',
    answer: 'list',
    needs: { operation: 'list', words: 'reorder answers with the list and needs the operation list' },
    of: ({ plural }) => ({
      path: '/reorder',
      handler: 'reorder',
      failures: [400, 404, ...ofBody],
      comment: `Reorder the ${plural} of a parent.`,
      summary: `Reorder the ${plural} of a parent`,
      description:
        `Gives 1 to ${maxReorderItems} items of one parent a new \`idx\` each: all of them, or none. Items that are not named ` +
        'keep theirs. An item that is named twice, or has another parent than the first, is refused with 422; an id that ' +
        'does not exist with 404.',
      answerDoc: "The parent's list in its new order.",
    }),
  },
};

/** One method of one path: an operation or a transition of a resource. */
export interface Endpoint extends Traits, Details {
  /** The beginning of the operation id, before the name of the type. */
  readonly name: string;
  /** The states of a transition. */
  readonly states?: { readonly field: string; readonly from: readonly string[]; readonly to: string };
}

function transitionEndpoint(resource: Resource, { name, field, from, to }: Transition): Endpoint {
  const title = capitalize(name.replaceAll('-', ' '));
  return {
    name: camelCase(name),
    method: 'post',
    path: `/:id/${name}`,
    handler: 'transition',
    states: { field, from, to },
    answer: 'record',
    failures: [400, 404, 409],
    comment: `${title} ${singular(resource)}: ${field} from ${from.join(' or ')} to ${to}.`,
    summary: `${title} ${singular(resource)}`,
    description:
      `Moves \`${field}\` from ${from.map((state) => `\`${state}\``).join(' or ')} to \`${to}\`. From any other state it is ` +
      'refused with 409. Of several requests at once, one succeeds.',
    answerDoc: 'The record as it is now.',
  };
}

/** The name of an operation in the OpenAPI document, by which generated clients call it. */
export const operationIdOf = ({ pluralType }: Resource, type: string, { name, answer }: Endpoint): string =>
  name + (answer === 'list' ? pluralType : type);

/** The endpoints of a resource, in the order in which they are printed. */
export const endpointsOf = (resource: Resource): Endpoint[] => [
  ...resource.operations.map((name) => ({ name, ...operations[name], ...operations[name].of(resource) })),
  ...resource.transitions.map((transition) => transitionEndpoint(resource, transition)),
];

/** The status of success. */
export const successOf = ({ body }: Traits): 200 | 201 => (body === 'create' ? 201 : 200);

/** Whether one of a resource's operations takes the body. */
export const takes = ({ operations: names }: Resource, body: Body): boolean =>
  names.some((name) => operations[name].body === body);

/** Whether one of a resource's operations is a list. */
export const isListed = ({ operations: names }: Resource): boolean =>
  names.some((name) => operations[name].isList === true);

/** Whether one of a resource's operations answers it. */
export const answers = ({ operations: names }: Resource, answer: Answer): boolean =>
  names.some((name) => operations[name].answer === answer);
