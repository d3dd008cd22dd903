import { ApiError } from '../model/errors.ts';
import type { Table } from '../model/table.ts';
import type { SingleWrite } from './store.ts';

/** The fields of a record that no hook changes. */
type Fixed = 'id' | 'created_at' | 'updated_at';

type Changing<T> = Omit<T, Fixed> & Readonly<Pick<T, Fixed & keyof T>>;

/** A new record: a line item that is to be the last one has no place yet. */
type New<T> = T extends { idx: number } ? Omit<T, 'idx'> & { idx: number | null } : T;

/** Reads, within the organization of the request. */
interface Reads<R> {
  /** The record with this id, as it is before the write; undefined if there is none. The id of a singleton is left out. */
  read<P extends keyof R>(resource: P, id?: string): Promise<RecordOf<R, P> | undefined>;
}

type RecordOf<R, P extends keyof R> = R[P] extends { readonly record: infer T } ? Readonly<T> : never;
type BodyOf<R, P extends keyof R, B extends 'create' | 'update'> = R[P] extends { readonly [K in B]: infer T }
  ? T
  : never;

/** The means of a hook before a write. All that it does commits together with the write, or nothing does. */
interface Work<R, T, Code extends string> extends Reads<R> {
  /** Creates another record. @returns it, as it will be */
  create<P extends keyof R>(resource: P, body: BodyOf<R, P, 'create'>): Promise<RecordOf<R, P>>;
  /** Changes another record. */
  update<P extends keyof R>(resource: P, id: string, changes: BodyOf<R, P, 'update'>): Promise<void>;
  /** Refuses the write: 422 with this code. @param field the one that clients show the message at */
  readonly refuse: (code: Code, message: string, field?: keyof T & string) => never;
  /** The API key that makes the request, as events name it. */
  readonly actor: string | null;
}

type Result = Promise<void> | void;

type BeforeHook<R, T, Code extends string, Operation> = (
  input: Work<R, T, Code> &
    (Operation extends 'Create'
      ? { /** The record as it will be, to be changed in place. */ readonly record: Changing<New<T>> }
      : Operation extends 'Delete'
        ? { /** The record as it is stored. */ readonly record: Readonly<T> }
        : {
            /** The record as it will be, to be changed in place. */
            readonly record: Changing<T>;
            /** The record as it is stored. */
            readonly before: Readonly<T>;
          }),
) => Result;

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
}
  ? { readonly [O in Operation as `before${O}`]: BeforeHook<R, T, Code, O> } & {
      readonly codes: Readonly<Record<Code, string>>;
    }
  : never;

/** The module of a resource's hooks. */
interface HooksModule {
  /** The meanings of the codes of its refusals. */
  readonly codes?: Readonly<Record<string, string>>;
}

const hooks = new WeakMap<Table, HooksModule>();

/** Gives a resource its hooks. */
export function useHooks<H>(table: Table, module: Partial<H>): void {
  hooks.set(table, module as HooksModule);
}

/** The function of the hooks of a table with this name. */
const hookOf = (table: Table, name: string): ((input: object) => Result) | undefined =>
  (hooks.get(table) as Readonly<Record<string, (input: object) => Result>> | undefined)?.[name];

/** The meanings of the codes that the hooks of a table refuse with. */
export const codesOf = (table: Table): Readonly<Record<string, string>> => hooks.get(table)?.codes ?? {};

/** `report-lost` as it is in the name of a hook: `ReportLost`. */
const inName = (name: string): string => name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());

const operationNames = { insert: 'create', update: 'update', delete: 'delete', reorder: 'reorder' } as const;

/** A hook before a write. */
export interface HookBefore {
  /** Like `beforeCreate of lending/loan`. */
  readonly name: string;
  readonly run: (input: object) => Result;
}

/** The hook before a write. A reorder has none. */
export function hookBefore(table: Table, write: SingleWrite): HookBefore | undefined {
  const name = `before${inName(write.op === 'transition' ? write.name : operationNames[write.op])}`;
  const run = hookOf(table, name);
  return run && { name: `${name} of ${table.path}`, run };
}

/** The refusal of a write by a hook. */
export const refusal = (code: string, message: string, field?: string): ApiError =>
  new ApiError('refused', message, {
    code,
    ...(field !== undefined && { errors: [{ pointer: `/${field}`, code: 'refused', message }] }),
  });
