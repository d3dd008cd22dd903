import { z } from 'zod';
import { factsOf, type Optional, type Server } from './fields.ts';

export type Shape = Readonly<Record<string, z.ZodType>>;

type ServerKey<S extends Shape> = { [K in keyof S]: S[K] extends Server ? K : never }[keyof S];
type OptionalKey<S extends Shape> = { [K in keyof S]: S[K] extends Optional ? K : never }[keyof S];
export type RequiredKey<S extends Shape> = Exclude<keyof S, ServerKey<S> | OptionalKey<S>>;

export type Flat<T> = { [K in keyof T]: T[K] };

/** The body of a create: required fields must be there, optional ones may, those of the service cannot. */
export type CreateBody<S extends Shape> = Flat<
  { [K in RequiredKey<S>]: z.output<S[K]> } & { [K in Exclude<OptionalKey<S>, ServerKey<S>>]?: z.output<S[K]> }
>;

/** The body of an update: any of the fields; those of the service only with the value they have. */
type UpdateBody<S extends Shape> = { [K in keyof S]?: z.output<S[K]> };

/** Makes a schema once for each record: what zod has compiled of it is shared by all that check bodies. */
function derived(change: (field: z.ZodType) => z.ZodType): (record: z.ZodObject) => z.ZodType {
  const made = new WeakMap<z.ZodObject, z.ZodType>();
  const make = ({ shape }: z.ZodObject): z.ZodType =>
    z.strictObject(
      Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, change(field as z.ZodType)])),
    );
  return (record) => made.getOrInsertComputed(record, make);
}

/**
 * The schema of a create body. It fills in no defaults: the operation does, from the table, so that no update can
 * inherit them.
 */
export const creatable = derived(inCreate) as <S extends Shape>(
  record: z.ZodObject<S>,
) => z.ZodType<CreateBody<S>, CreateBody<S>>;

function inCreate(field: z.ZodType): z.ZodType {
  const { presence } = factsOf(field);
  if (presence === 'server') return z.never().optional();
  return presence === 'optional' ? field.optional() : field;
}

/** The schema of a create body of an import, which may bring what the service gives otherwise. */
export const importable: (record: z.ZodObject) => z.ZodType = derived((field) =>
  factsOf(field).isAssigned ? field.optional() : inCreate(field),
);

/** The schema of an update body (RFC 7396 merge patch of a flat record): every field may be absent, none is filled in. */
export const updatable = derived((field) => {
  const isSetOnce = factsOf(field).initiallyNull && field instanceof z.ZodNullable;
  return (isSetOnce ? (field.unwrap() as z.ZodType) : field).optional();
}) as <S extends Shape>(record: z.ZodObject<S>) => z.ZodType<UpdateBody<S>, UpdateBody<S>>;
