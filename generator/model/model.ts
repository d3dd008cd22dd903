import type { z } from 'zod';
import type { Value } from '../../runtime/model/fields.ts';
import type { ListFields } from '../../runtime/model/table.ts';
import type { Format } from '../../runtime/model/formats.ts';
import type { Kind, OperationName, Transition } from '../../runtime/model/operations.ts';
import type { CommonKey, fieldTypes, FieldTypeName } from './language.ts';

/** A field, complete with its defaults. */
export type Field = {
  readonly name: string;
  readonly doc: string | undefined;
  readonly required: boolean;
  /** Null is a value of the field, also where it is required. */
  readonly nullable: boolean;
  readonly readOnly: boolean;
  /** The names it had before. */
  readonly renamedFrom: readonly string[];
  readonly default: Value;
  /** The value that a required field shows in rows that hold none; null if none is given. */
  readonly backfill: Value;
  /** The value that the OpenAPI document shows; null if none is given. */
  readonly example: Value;
  /** The constant that the default comes from. */
  readonly constant: string | undefined;
} & FieldType;

/** A type that is written as `type`, with the keys that only it has. */
type OwnType<T extends FieldTypeName> = T extends T
  ? { readonly type: T } & Readonly<Omit<z.infer<(typeof fieldTypes)[T]>, CommonKey | 'type'>>
  : never;

export type FieldType =
  | {
      readonly type: 'text';
      readonly minLength: number | undefined;
      readonly maxLength: number | undefined;
      readonly pattern: string | undefined;
    }
  | { readonly type: Format }
  | { readonly type: 'enum'; readonly values: readonly string[] }
  | OwnType<Exclude<FieldTypeName, 'string'>>;

export interface Parent {
  readonly field: string;
  readonly typeField: string | undefined;
  /** The key and the table of the parent, where this service has it. */
  readonly resource: string | undefined;
  readonly table: string | undefined;
}

/** The line items of a parent, as it shows them. */
export interface Items {
  readonly key: string;
  /** The last segment of their path. */
  readonly segment: string;
  /** Their resource's name. */
  readonly name: string;
  readonly isListed: boolean;
}

/** The list of a resource, as its spec describes it. */
export interface List extends ListFields {
  /** The columns that the spec names; empty where it names none, and `columnsOf` chooses. */
  readonly columns: readonly string[];
}

export interface Resource {
  readonly kind: Kind;
  /** The file it is described in. */
  readonly source: string;
  /** `crm/lead`: area and last segment of the path, and where its files go. */
  readonly key: string;
  /** `/api/crm/lead` */
  readonly path: string;
  /** `lead` */
  readonly name: string;
  /** One record in running text, and several. */
  readonly title: string;
  readonly plural: string;
  /** `Leads`, for the names of operations; the name of the type, `Lead`, where another resource has that. */
  readonly pluralType: string;
  readonly doc: string;
  /** The names it had before. */
  readonly renamedFrom: readonly string[];
  /** Bytes; undefined for the default. */
  readonly maxBody: number | undefined;
  readonly operations: readonly OperationName[];
  readonly list: List;
  readonly parent: Parent | undefined;
  readonly fields: readonly Field[];
  readonly transitions: readonly Transition[];
  /** The line items of this service that name it as their parent. */
  readonly items: readonly Items[];
}

/** The model of a spec, checked and complete: all that the emitters need. */
export interface Service {
  /** Identifies the service to databases and clients, in kebab-case. */
  readonly name: string;
  readonly title: string;
  readonly doc: string;
  readonly version: string;
  readonly license: string;
  readonly contact: { readonly name?: string; readonly url?: string; readonly email?: string } | undefined;
  /** The names of areas for people, by their folders; not of all of them. */
  readonly areas: Readonly<Record<string, string>>;
  /** Reasons, by the id of the change. */
  readonly acceptedBreaks: Readonly<Record<string, string>>;
  /** By key. */
  readonly resources: readonly Resource[];
}

/** The area of a resource. */
export const areaOf = ({ key }: Pick<Resource, 'key'>): string => key.slice(0, key.indexOf('/'));

/** The last segment of a resource's path. */
export const segmentOf = ({ key }: Pick<Resource, 'key'>): string => key.slice(key.indexOf('/') + 1);

/** The key of line items in a parent that shows them, from the last segment of their path. */
export const itemsKey = (segment: string): string => segment.replaceAll('-', '_');

/** The line items that a record can be shown with: those whose list is offered. */
export const expandable = ({ items }: Resource): Items[] => items.filter(({ isListed }) => isListed);
