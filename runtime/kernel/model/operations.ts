import type { FieldValue } from './fields.ts';
import type { Moment } from './moments.ts';
import type { Column } from './table.ts';

/** The path that all resources are under. */
export const basePath = '/api';

/** The path of batches. */
export const batchPath = `${basePath}/batch`;

/** The kinds of resources. */
export const kinds = ['record', 'line-item', 'singleton'] as const;

export type Kind = (typeof kinds)[number];

/** The actions that scopes name. */
export const actions = ['read', 'write', 'transition'] as const;

export type Action = (typeof actions)[number];

/** The bodies that operations take: fields of a record, a new order of line items, or the input of a transition. */
export type BodyName = 'create' | 'update' | 'reorder' | 'input';

/** The media types of each body. */
export const mediaTypes: Readonly<Record<BodyName, readonly string[]>> = {
  create: ['application/json'],
  update: ['application/json', 'application/merge-patch+json'],
  reorder: ['application/json'],
  input: ['application/json'],
};

/** An operation, as far as it is the same for every resource. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the path of the resource. */
  readonly path: string;
  readonly action: Action;
  /** The kinds of resources that can have it. */
  readonly kinds: readonly Kind[];
  /** The function of the runtime that makes its handler; the client has one of the same name. */
  readonly handler: string;
  readonly body?: BodyName;
  readonly response: 'record' | 'list' | 'deleted';
  /** The status of success. */
  readonly status: 200 | 201;
  /** The statuses of its own failures; 409 as well where other records can prevent it. With 412, it takes `If-Match`. */
  readonly failures: readonly (400 | 404 | 409 | 412 | 413 | 415 | 422)[];
  /** Properties that differ for a kind. */
  readonly differs?: Readonly<Partial<Record<Kind, Partial<Operation>>>>;
}

const ofBody = [413, 415, 422] as const;

const rows = {
  list: {
    method: 'GET',
    path: '',
    action: 'read',
    kinds: ['record', 'line-item'],
    handler: 'list',
    response: 'list',
    status: 200,
    failures: [400],
    differs: { 'line-item': { handler: 'listItems' } },
  },
  create: {
    method: 'POST',
    path: '',
    action: 'write',
    kinds: ['record', 'line-item'],
    handler: 'create',
    body: 'create',
    response: 'record',
    status: 201,
    failures: [400, ...ofBody],
  },
  retrieve: {
    method: 'GET',
    path: '/:id',
    action: 'read',
    kinds: ['record', 'singleton'],
    handler: 'retrieve',
    response: 'record',
    status: 200,
    failures: [400, 404],
    differs: { singleton: { path: '', handler: 'retrieveSingleton', failures: [400] } },
  },
  update: {
    method: 'PATCH',
    path: '/:id',
    action: 'write',
    kinds: ['record', 'line-item', 'singleton'],
    handler: 'update',
    body: 'update',
    response: 'record',
    status: 200,
    failures: [400, 404, 412, ...ofBody],
  },
  delete: {
    method: 'DELETE',
    path: '/:id',
    action: 'write',
    kinds: ['record', 'line-item'],
    handler: 'remove',
    response: 'deleted',
    status: 200,
    failures: [400, 404, 412, 422],
  },
  reorder: {
    method: 'POST',
    path: '/reorder',
    action: 'write',
    kinds: ['line-item'],
    handler: 'reorder',
    body: 'reorder',
    response: 'list',
    status: 200,
    failures: [400, 404, ...ofBody],
  },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof rows;

/** Every operation, in the order of generated code. The router, scopes, batches, metrics, documents and clients read this table. */
export const operations: Readonly<Record<OperationName, Operation>> = rows;

export type WriteName = { [O in OperationName]: (typeof rows)[O]['method'] extends 'GET' ? never : O }[OperationName];

/** The operation of each transition. Its path ends with the name of the transition. */
export const transition = {
  method: 'POST',
  path: '/:id/',
  action: 'transition',
  kinds: ['record'],
  handler: 'change',
  response: 'record',
  status: 200,
  failures: [400, 404, 409, 412, 422],
} as const satisfies Operation;

/** The operation of each transition that takes an input. */
const transitionWithInput = {
  ...transition,
  handler: 'changeWith',
  body: 'input',
  failures: [400, 404, 409, 412, ...ofBody],
} as const satisfies Operation;

/** The function of the runtime that makes the handler of an operation. */
type HandlerOf<O> = O extends { readonly handler: infer H }
  ? H | (O extends { readonly differs: infer D } ? HandlerOf<D[keyof D]> : never)
  : never;

/** The functions of the runtime that make handlers. */
export type HandlerName = HandlerOf<(typeof rows)[OperationName] | typeof transition | typeof transitionWithInput>;

const allNames = Object.keys(operations) as OperationName[];

/** The operations that resources of a kind can have: all of them, if a spec names none. */
export const defaultOperations = (kind: Kind): OperationName[] =>
  allNames.filter((name) => operations[name].kinds.includes(kind));

/** The source of a value that a transition sets: its time, who makes it (as events name them), a field of its body, or a literal. */
export type SetValue = Moment | { readonly input: string } | { readonly value: FieldValue };

/** An operation of records in some states, which may move them to another. `Input` describes a field of its body. */
export interface Transition<Input = Column> {
  /** In kebab-case: the last segment of the path. */
  readonly name: string;
  readonly field: string;
  readonly from: readonly string[];
  /** Without it, the record keeps its state. */
  readonly to?: string;
  /** The fields that must not be null. */
  readonly requires?: readonly string[];
  /** The fields that it sets. */
  readonly set?: Readonly<Record<string, SetValue>>;
  /** The fields of its body; without them, it reads none. */
  readonly input?: readonly Input[];
}

/** An operation of a certain resource. */
export interface ResourceOperation<Move extends Transition<unknown> = Transition> extends Omit<
  Operation,
  'handler' | 'differs'
> {
  /** A transition has a name of its own. */
  readonly name: string;
  readonly handler: HandlerName;
  readonly transition?: Move;
  /** The fields that it sets, also read-only ones, if a trait has added it. */
  readonly sets?: Readonly<Record<string, Moment | null>>;
}

/** An operation that a trait adds to a resource: it sets fields of a record. */
export type AddedOperation = Required<Pick<ResourceOperation, 'sets'>> & Omit<ResourceOperation, 'transition'>;

/** The part of a resource that decides what its operations are: a table has it. */
export interface Operated<Move extends Transition<unknown> = Transition> {
  readonly kind: Kind;
  readonly operations: readonly OperationName[];
  readonly added?: readonly AddedOperation[] | undefined;
  readonly transitions: readonly Move[];
}

/** The operations of a resource, in the order of generated code. */
export function operationsOf<Move extends Transition<unknown>>({
  kind,
  operations: names,
  added = [],
  transitions,
}: Operated<Move>): ResourceOperation<Move>[] {
  const ofName = (name: OperationName): ResourceOperation<Move> => {
    const { differs, ...operation } = operations[name];
    return { ...operation, ...differs?.[kind], name } as ResourceOperation<Move>;
  };
  const ofTransition = (move: Move): ResourceOperation<Move> => {
    const operation = move.input ? transitionWithInput : transition;
    return { ...operation, name: move.name, path: operation.path + move.name, transition: move };
  };
  return [...names.map(ofName), ...added, ...transitions.map(ofTransition)];
}

/** The operations that events of a resource name: references, parents and hooks write records of any. */
export const eventOperationsOf = (resource: Operated<Transition<unknown>>): string[] => {
  const writes = operationsOf(resource).flatMap(({ name, action }) => (action === 'read' ? [] : [name]));
  return [...new Set(['create', 'update', 'delete', ...writes])];
};
