import type { z } from 'zod';
import type { FieldValue, Reference, Source } from '../../runtime/kernel/model/fields.ts';
import type { Sequence } from '../../runtime/features/sequences/pattern.ts';
import type { Moment } from '../../runtime/kernel/model/moments.ts';
import type { ListFields, Lock, Unique } from '../../runtime/kernel/model/table.ts';
import type { Format } from '../../runtime/kernel/model/formats.ts';
import type { AddedOperation, Kind, OperationName, Transition } from '../../runtime/kernel/model/operations.ts';
import type { Total } from '../../runtime/features/rules/expressions/logic.ts';
import type { Code } from '../rules/code.ts';
import type { CommonKey, fieldTypes, FieldTypeName, stateColors } from './language.ts';

/** A compiled expression, as the model holds it. */
export interface Expression {
  /** As the spec has it, on one line. */
  readonly text: string;
  readonly code: Code;
  /** The fields of the record that it names, in the order in which it does. */
  readonly fields: readonly string[];
  readonly totals: Readonly<Record<string, Total>>;
}

export type StateColor = (typeof stateColors)[number];

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
  /** Each request that changes the record sets it as a create does. */
  readonly always: boolean;
  /** In place of a default, if each create copies it: as the spec has it, and what that names. */
  readonly defaultFrom: string | undefined;
  readonly copies?: Source | undefined;
  /** The value that a field which is never null shows in rows that hold none; null if none is given. */
  readonly backfill: FieldValue;
  /** The value that the OpenAPI document shows; null if none is given. */
  readonly example: FieldValue;
  /** The expression of its value, if it follows from others. */
  readonly computed: string | undefined;
  /** The numbers that it holds. */
  readonly sequence: Sequence | undefined;
  /** The constant that the default comes from. */
  readonly constant: string | undefined;
  /** The colors of its states in the console; not of all of them. */
  readonly colors: Readonly<Record<string, StateColor>> | undefined;
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
export function momentWords(moment: Moment, act = 'create'): string {
  if ('by' in moment) return `the actor of the ${act}, as events name it`;
  return moment.at === 'now' ? `the time of the ${act}` : `the day of the ${act} in the time zone ${moment.timeZone}`;
}

/** A noun for the value that a create copies into a field that it leaves out; undefined if it copies none. */
export const copyWords = ({ defaultFrom, copies }: Field): string | undefined =>
  copies &&
  `the ${copies.field} of ${copies.reference === undefined ? defaultFrom?.split('.')[0] : `the record that ${copies.reference} names`}`;

/** Whether the body of a create must have a field. */
export const mustBeSent = ({ required, defaultFrom }: Field): boolean => required && defaultFrom === undefined;

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
      /** The other resources whose records it may name. */
      readonly others: readonly Target[];
      readonly onDelete: Reference['onDelete'];
      readonly onMissing: Reference['onMissing'];
      /** The name that the record which it names has for the records with this field. */
      readonly inverse: string | undefined;
      /** Whether `expand` shows the record. */
      readonly isShown: boolean;
    }
  | {
      readonly type: 'list';
      readonly of: FieldType;
      readonly maxItems: number | undefined;
      readonly uniqueItems: boolean;
    }
  | { readonly type: 'json'; readonly maxBytes: number }
  | OwnType<Exclude<FieldTypeName, 'string' | 'list' | 'json'>>;

/** A resource whose records a reference names: its key and its table. */
export interface Target {
  readonly resource: string;
  readonly table: string;
}

export interface Parent {
  readonly field: string;
  readonly typeField: string | undefined;
  /** The key and the table of the parent, where this service has it. */
  readonly resource: string | undefined;
  readonly table: string | undefined;
  /** Whether it can lock its line items. */
  readonly canLock: boolean;
}

/** The line items of a parent, or the records that reference another one, as it shows them. */
export interface Items {
  readonly key: string;
  /** The last segment of their path; the inverse of a reference. */
  readonly segment: string;
  /** Their resource's name. */
  readonly name: string;
  /** Whether `expand` shows them. */
  readonly isShown: boolean;
  /** Their reference to the record; none of line items, which belong to it. */
  readonly field?: string;
}

/** A field of another resource that references the records of this one. */
export interface Referrer {
  /** The key of that resource. */
  readonly key: string;
  readonly field: string;
  readonly onDelete: Reference['onDelete'];
  /** These records as the one that they name shows them, if the field has an inverse. */
  readonly inverse: Items | undefined;
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
  /** The fields that its records are counted by, and those that are summed. */
  readonly count: readonly string[];
  readonly sum: readonly string[];
  /** The columns that the spec names; empty where it names none, and `columnsOf` chooses. */
  readonly columns: readonly string[];
}

/** Fields that the console shows together. */
export interface FormGroup {
  readonly title: string;
  readonly fields: readonly string[];
  /** The condition under which it is shown; undefined for always. */
  readonly showIf: Expression | undefined;
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
  /** The operations that `archive` adds. */
  readonly added?: readonly AddedOperation[] | undefined;
  readonly list: List;
  readonly parent: Parent | undefined;
  /** The fields with `unique` or a sequence, then the lists of the resource; undefined if nothing is unique. */
  readonly unique: readonly Unique[] | undefined;
  readonly lock: (Lock & { readonly states: readonly string[] }) | undefined;
  /** Whether records can be archived: `archived_at` is the last of the fields then. */
  readonly archive: boolean;
  readonly fields: readonly Field[];
  /** The groups of fields in the console; none if it makes them itself. */
  readonly form: readonly FormGroup[];
  /** The fields that title a record in the console, some as paths through references; none if it finds one itself. */
  readonly recordTitle: readonly string[];
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
  /** Whether agents may use it by the Model Context Protocol. */
  readonly mcp: boolean;
  /** Reasons, by the id of the change. */
  readonly acceptedBreaks: Readonly<Record<string, string>>;
  /** By key. */
  readonly resources: readonly Resource[];
}

/** The area of a resource. */
export const areaOf = ({ key }: Pick<Resource, 'key'>): string => key.slice(0, key.indexOf('/'));

/** The last segment of a resource's path. */
export const segmentOf = ({ key }: Pick<Resource, 'key'>): string => key.slice(key.indexOf('/') + 1);

/** The key of line items in a parent that shows them, from the last segment of their path. An inverse is its own. */
export const itemsKey = (segment: string): string => segment.replaceAll('-', '_');

/** Whether the records of its list are counted. */
export const hasCounts = ({ list }: Pick<Resource, 'list'>): boolean => list.count.length + list.sum.length > 0;

/** The fields of references. */
export const referencesOf = ({ fields }: Pick<Resource, 'fields'>) =>
  fields.filter((field) => field.type === 'reference');

/** All resources whose records a reference may name. */
export const targetsOf = ({ resource, table, others }: Target & { readonly others: readonly Target[] }): Target[] => [
  { resource, table },
  ...others,
];

/** The references whose records a record can be shown with. */
export const shownReferences = (resource: Pick<Resource, 'fields'>) =>
  referencesOf(resource).filter(({ isShown }) => isShown);

/** The lists that a record can be shown with: its line items, and records that reference it. */
export const expandable = ({ items, referrers }: Resource): Items[] =>
  [...items, ...referrers.flatMap(({ inverse }) => inverse ?? [])].filter(({ isShown }) => isShown);
