import type { FieldValue } from '../../runtime/kernel/model/fields.ts';

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

export type FieldOptions = {
  readonly required?: true;
  /** Without it, an optional field may be null, and a required one may not. */
  readonly nullable?: boolean;
  /** Only the service sets it. */
  readonly readOnly?: true;
  /** No update changes it, once it is set. */
  readonly immutable?: true;
  readonly default?: FieldValue;
  /** Each create makes a text for it: a time, a number of a sequence, or one that is computed. */
  readonly isMade?: true;
  /** Further rules of its values, in JSON Schema's terms. */
  readonly format?: string | undefined;
  readonly enum?: readonly string[] | undefined;
  readonly pattern?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** The values of an array. */
  readonly items?: FieldOptions & { readonly type: FieldType };
  readonly maxItems?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly uniqueItems?: true | undefined;
};

/** A field as tests know it. */
export type Field = readonly [name: string, type: FieldType, options?: FieldOptions];

export type Operation = 'retrieve' | 'list' | 'create' | 'update' | 'delete' | 'submit' | 'cancel' | 'reorder';

type Common = {
  /** The resource's own name: ids begin with it. */
  readonly name: string;
  readonly path: string;
  readonly operations: readonly Operation[];
  readonly fields: readonly Field[];
};

export type RecordType = Common & { readonly kind: 'record' };

export type LineItem = Common & {
  readonly kind: 'line-item';
  readonly parentField: string;
  /** Names the kind of parent, where the parent is a pair. */
  readonly parentTypeField?: string;
  /** The name of the parent's resource, where this service has it. */
  readonly parentResource?: string;
};

export type Singleton = Common & { readonly kind: 'singleton' };

/** A resource as tests know it: what a client must know of it to make requests. */
export type Resource = RecordType | LineItem | Singleton;

/** The resource of this name. */
export function named<T extends Resource>(resources: readonly T[], name: string): T {
  const found = resources.find((resource) => resource.name === name);
  if (!found) throw new Error(`There is no resource ${name}.`);
  return found;
}

/** Whether a client can set the field. */
export const isWritable = ([, , options]: Field): boolean => options?.readOnly !== true;
