import { ApiError } from '../../kernel/model/errors.ts';
import type { Table } from '../../kernel/model/table.ts';
import { eventOperationsOf } from '../../kernel/model/operations.ts';
import type { Fixed } from './types.ts';
import type { SingleWrite } from '../../kernel/records/write.ts';
import type { Event } from '../trail/events.ts';
import type { FeatureCode } from '../../kernel/model/error-codes.ts';

export const refused = {
  code: 'refused',
  behind: 'rule_violated',
  status: 422,
  title: 'Refused',
  meaning: 'The service does not allow the write: the response has a code of its own. Nothing was done.',
  remedy: 'The detail says why.',
} as const satisfies FeatureCode;

type Changing<T> = Omit<T, Fixed> & Readonly<Pick<T, Fixed & keyof T>>;

/**
 * Reads, within the organization of the request. The hook runs again if what it has read changes before the commit.
 *
 * @typeParam Own the path of the hook's own resource
 */
interface Reads<R, Own extends keyof R> {
  /** The record with this id, as it is before the write; undefined if there is none. A singleton has no id, and is always there. */
  read<P extends keyof R>(
    resource: P,
    ...id: IsSingleton<R, P> extends true ? [] : [id: string]
  ): Promise<RecordOf<R, P> | (IsSingleton<R, P> extends true ? never : undefined)>;
  /**
   * The records of a list, in its order: at most `limit`, which is 100 without it and no more. They are as the operations of a batch
   * before this one leave them; what the hook itself has written is not among them.
   */
  list<P extends Listed<R>>(
    resource: P,
    ...options: OptionsOf<FilterOf<R, P>, { readonly sort?: SortOf<R, P>; readonly limit?: number }>
  ): Promise<readonly RecordOf<R, P>[]>;
  /** The number of the records of such a list. */
  count<P extends Listed<R>>(resource: P, ...options: OptionsOf<FilterOf<R, P>>): Promise<number>;
  /** The line items of the hook's own record in their order, as all operations of the request leave them. They must not be more than 1,000. */
  items<P extends ItemsOf<R, Own>>(resource: P): Promise<readonly RecordOf<R, P>[]>;
}

/** The resources that have a list. */
type Listed<R> = {
  [P in keyof R]: R[P] extends { readonly filter: infer F } ? ([F] extends [never] ? never : P) : never;
}[keyof R];
type FilterOf<R, P extends keyof R> = R[P] extends { readonly filter: infer F } ? F : never;
type SortOf<R, P extends keyof R> = R[P] extends { readonly sort: infer S } ? S : never;
/** The options of a list; it can be left out unless the list is that of a parent. */
type OptionsOf<F, More = unknown> = object extends F
  ? [options?: { readonly filter?: F } & More]
  : [options: { readonly filter: F } & More];
/** The line items of a resource. */
type ItemsOf<R, Own> = {
  [P in keyof R]: R[P] extends { readonly parent: Own } ? ([R[P]['parent']] extends [never] ? never : P) : never;
}[keyof R];
/** The resources that have transitions. */
type Moved<R> = { [P in keyof R]: keyof MovesOf<R, P> extends never ? never : P }[keyof R];
type MovesOf<R, P extends keyof R> = R[P] extends { readonly moves: infer M } ? M : unknown;
/** The input of a transition; it can be left out unless it needs a field. */
type InputOf<I> = I extends null ? [] : object extends I ? [input?: I] : [input: I];

type IsSingleton<R, P extends keyof R> = R[P] extends { readonly isSingleton: true } ? true : false;
type RecordOf<R, P extends keyof R> = R[P] extends { readonly record: infer T } ? Readonly<T> : never;
type BodyOf<R, P extends keyof R, B extends 'create' | 'created' | 'update'> = R[P] extends {
  readonly [K in B]: infer T;
}
  ? T
  : never;

/** The means of a hook. All that it writes commits together, before a write together with that one, or nothing does. */
interface Writes<R, Own extends keyof R> extends Reads<R, Own> {
  /** Creates another record. @returns it, without what it gets when it is stored */
  create<P extends keyof R>(resource: P, body: BodyOf<R, P, 'create'>): Promise<Readonly<BodyOf<R, P, 'created'>>>;
  /** Changes another record: not a state that only transitions set. */
  update<P extends keyof R>(resource: P, id: string, changes: BodyOf<R, P, 'update'>): Promise<void>;
  /** Makes a transition of another record, as a request does: what refuses it refuses the request. */
  move<P extends Moved<R>, T extends keyof MovesOf<R, P>>(
    resource: P,
    id: string,
    transition: T,
    ...input: InputOf<MovesOf<R, P>[T]>
  ): Promise<void>;
}

/** The means of a hook before a write. */
interface Work<R, Own extends keyof R, T, Code extends string> extends Writes<R, Own> {
  /** Refuses the write: 422 with this code. @param field the one that clients show the message at */
  readonly refuse: (code: Code, message: string, field?: keyof T & string) => never;
  /** The API key that makes the request, as events name it. */
  readonly actor: string | null;
}

type Result = Promise<void> | void;

type BeforeHook<R, Own extends keyof R, T, New, Code extends string, Operation> = (
  input: Work<R, Own, T, Code> &
    (Operation extends 'Create'
      ? {
          /** The record as it will be, to be changed in place; without what it gets when it is stored. */
          readonly record: Changing<New>;
        }
      : Operation extends 'Delete'
        ? { /** The record as it is stored. */ readonly record: Readonly<T> }
        : {
            /** The record as it will be, to be changed in place. */
            readonly record: Changing<T>;
            /** The record as it is stored. */
            readonly before: Readonly<T>;
          }),
) => Result;

/** An event of a record, which is committed. */
type EventOf<T> = Omit<Event, 'changes'> & {
  readonly changes: { readonly [F in keyof T]?: readonly [before: T[F] | null, after: T[F] | null] };
};

type AfterHook<R, Own extends keyof R, T> = (input: Writes<R, Own> & { readonly event: EventOf<T> }) => Result;

/**
 * The hooks that a resource can have.
 *
 * @typeParam R the types of all resources, by path
 * @typeParam P the path of the resource
 * @typeParam Operation the operations that can have hooks, like `Create`
 * @typeParam Code the codes of its refusals
 */
export type Hooks<R, P extends keyof R, Operation extends string, Code extends string = never> = R[P] extends {
  readonly record: infer T;
  readonly created: infer New;
}
  ? { readonly [O in Operation as `before${O}`]: BeforeHook<R, P, T, New, Code, O> } & {
      readonly [O in Operation as `after${O}`]: AfterHook<R, P, T>;
    } & {
      readonly codes: Readonly<Record<Code, string>>;
    }
  : never;

/** The module of a resource's hooks. */
interface HooksModule {
  /** The meanings of the codes of its refusals. */
  readonly codes?: Readonly<Record<string, string>>;
}

const hooks = new WeakMap<Table, HooksModule>();

/** Gives a resource its hooks. One that is undefined is none. */
export function useHooks<H>(table: Table, module: { readonly [Name in keyof H]?: H[Name] | undefined }): void {
  hooks.set(table, module as HooksModule);
}

export const hasHooks = (table: Table): boolean => hooks.has(table);

/** The meanings of the codes that the hooks of a table refuse with. */
export const codesOf = (table: Table): Readonly<Record<string, string>> => hooks.get(table)?.codes ?? {};

/** `report-lost` as it is in the name of a hook: `ReportLost`. */
const inName = (name: string): string => name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());

export interface Hook {
  /** Like `beforeCreate of lending/loan`. */
  readonly name: string;
  readonly run: (input: object) => Result;
  /** The meanings of the codes that it may refuse with. */
  readonly codes: Readonly<Record<string, string>>;
}

function hookOf(table: Table, time: 'before' | 'after', operation: string): Hook | undefined {
  const module = hooks.get(table) as Readonly<Record<string, Hook['run']>> | undefined;
  if (!module) return undefined;
  const name = time + inName(operation);
  const run = module[name];
  return run && { name: `${name} of ${table.path}`, run, codes: codesOf(table) };
}

/** The hook before a write. A reorder has none. */
export const hookBefore = (table: Table, write: SingleWrite): Hook | undefined =>
  hookOf(table, 'before', operationOf(write));

/** The operation that a write is, as events name it. */
function operationOf(write: SingleWrite): string {
  if (write.op === 'transition') return write.name;
  if (write.op === 'update') return write.operation ?? 'update';
  return write.op === 'insert' ? 'create' : write.op;
}

/** The hook after events of an operation. */
export const hookAfter = (table: Table, operation: string): Hook | undefined => hookOf(table, 'after', operation);

/** The events after which hooks are called, like `lending/loan:create`. */
export const hookedEvents = (tables: readonly Table[]): string[] =>
  tables.flatMap((table) => {
    const operations = eventOperationsOf(table).filter((operation) => hookAfter(table, operation));
    return operations.map((operation) => `${table.path}:${operation}`);
  });

/** The refusal of a write by a hook. @throws Error if its `codes`, and thus the documentation, do not have the code */
export function refusal({ name, codes }: Hook, code: string, message: string, field?: string): ApiError {
  if (!Object.hasOwn(codes, code))
    throw new Error(`The hook ${name} has refused with "${code}", which its codes lack.`);
  return new ApiError(refused, message, {
    code,
    ...(field !== undefined && { errors: [{ pointer: `/${field}`, code: 'refused', message }] }),
  });
}
