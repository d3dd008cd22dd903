import type { z } from 'zod';
import type { FieldValue, Reference } from '../../runtime/model/fields.ts';
import type { Moment } from '../../runtime/model/moments.ts';
import type { ListFields, Lock, Unique } from '../../runtime/model/table.ts';
import type { Format } from '../../runtime/model/formats.ts';
import type { Kind, OperationName, Transition } from '../../runtime/model/operations.ts';
import type { Total } from '../../runtime/rules/logic.ts';
import type { Code } from '../rules/code.ts';
import type { CommonKey, fieldTypes, FieldTypeName } from './language.ts';

/** A compiled expression, as the model holds it. */
export interface Expression {
  /** As the spec has it, on one line. */
  readonly text: string;
  readonly code: Code;
  /** The fields of the record that it names, in the order in which it does. */
  readonly fields: readonly string[];
  readonly totals: Readonly<Record<string, Total>>;
}

/** A field, complete with its defaults. */
export type Field = {
  readonly name: string;
  readonly doc: string | undefined;
  readonly required: boolean;
  /** Null is a value of the field, required or not. */
  readonly nullable: boolean;
  readonly readOnly: boolean;
  /** No update changes it: true from the create on, `once_set` once it is not null. */
  readonly immutable: true | 'once_set' | undefined;
  /** The names it had before. */
  readonly renamedFrom: readonly string[];
  readonly default: FieldValue;
  /** In place of a default, if each create computes it. */
  readonly moment: Moment | undefined;
  /** The value that a field which is never null shows in rows that hold none; null if none is given. */
  readonly backfill: FieldValue;
  /** The value that the OpenAPI document shows; null if none is given. */
  readonly example: FieldValue;
  /** The expression of its value, if it follows from others. */
  readonly computed: string | undefined;
  /** The constant that the default comes from. */
  readonly constant: string | undefined;
} & FieldType;

/** A field that holds one value of a list: the first one of its default and its example. */
export const itemField = (field: Field & { readonly type: 'list' }): Field => {
  const first = (value: FieldValue): FieldValue => [value].flat()[0] ?? null;
  return { ...field, ...field.of, default: first(field.default), example: first(field.example) };
};

/** A type that is written as `type`, with the keys that only it has. */
type OwnType<T extends FieldTypeName> = T extends T
  ? { readonly type: T } & Readonly<Omit<z.infer<(typeof fieldTypes)[T]>, CommonKey | 'type'>>
  : never;

/** A noun for the default that each create, or another act, computes. */
export const momentWords = (moment: Moment, act = 'create'): string =>
  moment.at === 'now' ? `the time of the ${act}` : `the day of the ${act} in the time zone ${moment.timeZone}`;

/** Whether responses may show null: a singleton's required field is null until it is set. */
export const mayBeNull = (
  { required, nullable }: Pick<Field, 'required' | 'nullable'>,
  { kind }: Pick<Resource, 'kind'>,
): boolean => nullable || (required && kind === 'singleton');

/** The value that a field shows in rows that hold none; null if it shows null, or no row may hold none. */
export const shownForNone = ({ required, nullable, backfill, default: value }: Field): FieldValue =>
  backfill ?? (required || nullable ? null : value);

export type FieldType =
  | {
      readonly type: 'text';
      readonly minLength: number | undefined;
      readonly maxLength: number | undefined;
      readonly pattern: string | undefined;
    }
  | { readonly type: Format }
  | {
      readonly type: 'enum';
      readonly values: readonly string[];
      /** Former names of values, each with the present one. */
      readonly formerValues: Readonly<Record<string, string>>;
      /** The enum of spec/service.yaml that the values come from. */
      readonly from: string | undefined;
    }
  | {
      readonly type: 'reference';
      /** The key and the table of the resource whose records it names. */
      readonly resource: string;
      readonly table: string;
      readonly onDelete: Reference['onDelete'];
      readonly onMissing: Reference['onMissing'];
    }
  | {
      readonly type: 'list';
      readonly of: FieldType;
      readonly maxItems: number | undefined;
      readonly uniqueItems: boolean;
    }
  | OwnType<Exclude<FieldTypeName, 'string' | 'list'>>;

export interface Parent {
  readonly field: string;
  readonly typeField: string | undefined;
  /** The key and the table of the parent, where this service has it. */
  readonly resource: string | undefined;
  readonly table: string | undefined;
  /** Whether its states can lock its line items. */
  readonly canLock: boolean;
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

/** A field of another resource that references the records of this one. */
export interface Referrer {
  /** The key of that resource. */
  readonly key: string;
  readonly field: string;
  readonly onDelete: Reference['onDelete'];
}

/** A condition that the records of a resource meet. */
export interface Rule {
  readonly that: Expression;
  /** The condition under which it applies; undefined for always. */
  readonly when: Expression | undefined;
  readonly message: string;
  /** The field that the message is about; undefined for the whole record. */
  readonly field: string | undefined;
}

/** A computed field, and its value. */
export interface Computed {
  readonly field: string;
  readonly value: Expression;
}

/** A transition, complete with its defaults. */
export interface Move extends Transition<Field> {
  /** The rule that a record must meet when it has moved. */
  readonly rule?: Rule;
}

/** The list of a resource, as its spec describes it. */
export interface List extends ListFields {
  /** The columns that the spec names; empty where it names none, and `columnsOf` chooses. */
  readonly columns: readonly string[];
}

/** Code that runs before and after the writes of a resource. */
export interface Hooks {
  readonly file: string;
  /** The names of its functions. */
  readonly exports: readonly string[];
  /** The codes that it refuses with, and their meanings. */
  readonly codes: Readonly<Record<string, string>>;
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
  /** Whether what is done to its records is noted. */
  readonly events: boolean;
  readonly operations: readonly OperationName[];
  readonly list: List;
  readonly parent: Parent | undefined;
  /** The fields with `unique`, then the lists of the resource; undefined if nothing is unique. */
  readonly unique: readonly Unique[] | undefined;
  readonly lock: Lock | undefined;
  readonly fields: readonly Field[];
  readonly rules: readonly Rule[];
  /** In an order in which each comes behind those that it is computed from. */
  readonly computed: readonly Computed[];
  readonly transitions: readonly Move[];
  readonly hooks?: Hooks;
  /** The line items of this service that name it as their parent. */
  readonly items: readonly Items[];
  readonly referrers: readonly Referrer[];
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

/** The fields of references. */
export const referencesOf = ({ fields }: Pick<Resource, 'fields'>) =>
  fields.filter((field) => field.type === 'reference');

/** The line items that a record can be shown with: those whose list is offered. */
export const expandable = ({ items }: Resource): Items[] => items.filter(({ isListed }) => isListed);
