import type { z } from 'zod';
import type { Optional, Server } from '../../kernel/model/fields.ts';
import type { Query } from '../../kernel/model/query.ts';
import type { CreateBody, Flat, RequiredKey } from '../../kernel/model/shapes.ts';

/** The fields that no hook sets. */
export type Fixed = 'id' | 'created_at' | 'updated_at';

/** The fields that a record gets when it is stored: computed ones and numbers, and the place of a line item that comes last. */
type Stored<S> = { [K in keyof S]: S[K] extends Server ? (S[K] extends Optional ? never : K) : never }[keyof S] | 'idx';

/** The types of a resource, as hooks read and write it: they may set what only the service sets. */
interface RecordTypes<R extends z.ZodObject, Closed = never> {
  readonly record: z.output<R>;
  /** A new record, before it is stored. */
  readonly created: {
    [K in keyof R['shape']]: z.output<R['shape'][K]> | (K extends Exclude<Stored<R['shape']>, Fixed> ? null : never);
  };
  readonly create: Flat<
    { [K in RequiredKey<R['shape']>]: z.output<R['shape'][K]> } & {
      [K in Exclude<keyof R['shape'], RequiredKey<R['shape']> | Fixed>]?: z.output<R['shape'][K]>;
    }
  >;
  readonly update: { [K in Exclude<keyof R['shape'], Fixed | Closed>]?: z.output<R['shape'][K]> };
}

/**
 * The types of records.
 *
 * @typeParam Q the query of their list; never without one
 * @typeParam M the schemas of the inputs of their transitions, by name; null for those that take none
 * @typeParam Closed the fields that no update sets: states that only transitions set, `archived_at`, computed fields, numbers, `always`
 */
export interface TypesOf<R extends z.ZodObject, Q = never, M = unknown, Closed = never> extends RecordTypes<R, Closed> {
  readonly filter: FilterOf<Q> & ('archived_at' extends Closed ? { readonly archived?: boolean | 'any' } : unknown);
  readonly sort: SortOf<Q>;
  readonly moves: { readonly [T in keyof M]: M[T] extends z.ZodObject ? CreateBody<M[T]['shape']> : null };
}

/** The types of line items. @typeParam Parent the path of their parents, if these are records of this service */
export interface ItemTypesOf<R extends z.ZodObject, Q = never, Parent = never> extends RecordTypes<R> {
  readonly filter: FilterOf<Q> & { readonly parent_id: string };
  readonly sort: SortOf<Q>;
  readonly parent: Parent;
}

/** The types of settings, whose one record is always there. */
export interface SettingsTypesOf<R extends z.ZodObject> extends RecordTypes<R> {
  readonly isSingleton: true;
}

type ParametersOf<Q> = [Q] extends [Query<infer P>] ? P : never;

/** The parameters of a list that do not filter it. */
type PageParameter = 'limit' | 'offset' | 'after' | 'sort' | 'fields' | 'expand';

/** A value of a parameter as records have it: numbers and booleans instead of their texts. */
type Plain<T> = T extends 'true' | 'false' ? boolean : T extends `${infer N extends number}` ? N : T;

/** The values of an enum, without others: a misspelt one would find nothing. */
type Declared<T> = [Literal<T>] extends [never] ? T : Literal<T>;
type Literal<T> = T extends unknown ? (string extends T ? never : T) : never;

/** Filters by the names of their parameters. */
type FilterOf<Q> = [Q] extends [never] ? never : Filters<Required<ParametersOf<Q>>>;

type Filters<P> = {
  readonly [K in Exclude<keyof P, PageParameter>]?: K extends `${infer Name}[in]`
    ? readonly Plain<Declared<P[Name & keyof P]>>[]
    : Plain<Declared<P[K]>>;
};

type SortOf<Q> = [Q] extends [never] ? never : Required<ParametersOf<Q>>['sort' & keyof ParametersOf<Q>];
