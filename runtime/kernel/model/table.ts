import type { z } from 'zod';
import type { Reads } from '../values/reads.ts';
import type { Shape } from './shapes.ts';
import { isId } from './ids.ts';
import { maxBodyBytes } from './limits.ts';
import { factsOf, type FieldFacts, type FieldValue, type RecordValue, targetsOf, type Value } from './fields.ts';
import { toTimestamp } from './formats.ts';
import { JsonText, keepTexts, printJson } from '../values/json-text.ts';
import { type Circumstances, valueOfMoment } from './moments.ts';
import { defaultOperations, type Kind, type Operated, type Transition } from './operations.ts';

/** A field of a record, and its column. */
export interface Column extends Omit<FieldFacts, 'presence' | 'initiallyNull' | 'items'> {
  readonly name: string;
  /** Only the service sets it: an update may repeat the stored value and cannot change it. */
  readonly readOnly: boolean;
}

/** The value that a create stores if the client leaves a field out. */
export const absentValue = ({ default: value, moment }: Column, create: Circumstances): Value =>
  moment ? valueOfMoment(moment, create) : value;

/** A value of a field by its present name, or a list by those of its values. */
export function presentValue({ formerValues }: Column, value: RecordValue): RecordValue {
  if (!formerValues) return value;
  const present = (item: Value): Value =>
    typeof item === 'string' && Object.hasOwn(formerValues, item) ? (formerValues[item] as string) : item;
  return Array.isArray(value) ? value.map(present) : present(value as Value);
}

/** A value that a column stores, as a record shows it. */
export const shownAs = (column: Column, value: Value): RecordValue => {
  const filled = value ?? column.backfill ?? null;
  if (column.type !== 'json' || filled === null) return presentValue(column, filled);
  return isFree(column) ? new JsonText(String(filled)) : presentValue(column, JSON.parse(String(filled)) as FieldValue);
};

/** Whether a column holds objects and arrays of any form. */
export const isFree = ({ type, itemType }: Pick<Column, 'type' | 'itemType'>): boolean =>
  type === 'json' && itemType === undefined;

/** The names of the fields of a table, or of an input, whose values are kept as they were sent. */
export const freeFields = (columns: readonly Column[]): string[] => columns.filter(isFree).map(({ name }) => name);

/** Parses the JSON of a record. */
export const parseRecord = ({ columns }: Columns, json: string): ShownRecord =>
  keepTexts(JSON.parse(json) as ShownRecord, json, freeFields(columns));

/** Whether a record shows a value. A date-time may be stored in an older form. */
export function showsValue(column: Column, fieldValue: RecordValue, value: Value): boolean {
  if (column.type === 'json') return printJson(fieldValue) === String(value);
  const isTime = column.format === 'date-time' && typeof fieldValue === 'string';
  return fieldValue === value || (isTime && toTimestamp(fieldValue) === value);
}

/** A record as its JSON shows it. */
export type ShownRecord = Readonly<Record<string, RecordValue>>;

type Columns = Pick<Table, 'columns'>;

/** Whether a text is an id as records of a table have it, or had it under a former name. */
export const isIdOf = ({ name, renamedFrom = [] }: Pick<Table, 'name' | 'renamedFrom'>, text: string): boolean =>
  [name, ...renamedFrom].some((prefix) => isId(prefix, text));

/** A new record, from a value for each column: a line item that is to be the last one has no place yet. */
export const shownRecord = ({ columns }: Columns, values: readonly Value[]): Record<string, RecordValue> =>
  Object.fromEntries(columns.map((column, i) => [column.name, shownAs(column, values[i] ?? null)]));

/** Values of some columns, as a record shows them. */
export const shownValues = (
  { columns }: Columns,
  values: Readonly<Record<string, Value>>,
): Record<string, RecordValue> =>
  Object.fromEntries(
    columns.flatMap((column) => {
      const value = values[column.name];
      return value === undefined ? [] : [[column.name, shownAs(column, value)]];
    }),
  );

/** Whether the service itself sets a column. All other rules are checked before the store: no older row prevents a change of a field. */
export const isAlwaysSet = ({ name }: Pick<Column, 'name'>): boolean =>
  ['id', 'created_at', 'updated_at'].includes(name);

/** The reference from a line item to its parent. */
export interface Parent {
  /** The column that holds the parent's id. */
  readonly field: string;
  /** The column that says what kind of record the parent is, where id and kind together name it. */
  readonly typeField?: string;
  /** The parent's table, where this service has it. */
  readonly table?: string;
}

/**
 * The fields that a list can be filtered and sorted by, and those that it is searched in; references can always be filtered
 * by. `id`, and `created_at` where a record has it, can always be filtered and sorted by, and are not in here.
 */
export interface ListFields {
  readonly filter: readonly string[];
  readonly sort: readonly string[];
  readonly search: readonly string[];
  /** The fields of `sort` whose texts are compared without case and accents. */
  readonly ignoreCase?: readonly string[];
}

/** Fields of which no two records of an organization have the same values. A record with a null in one of them clashes with none. */
export interface Unique {
  readonly fields: readonly string[];
  /** Texts are the same if `foldText` makes them so. */
  readonly ignoreCase?: true;
}

/** The values of a field that lock a record: no update changes it, but in some fields, and nothing deletes it. */
export interface Lock {
  readonly field: string;
  /** The states that lock it; transitions still move it. Without them any value does, also against transitions. */
  readonly states?: readonly string[];
  /** The reason in errors, if it is not the value. */
  readonly reason?: string;
  /** The fields that updates can still change. */
  readonly except?: readonly string[];
}

/** A rule, without its functions. */
interface TableRule {
  readonly field?: string;
  readonly reads?: Reads;
}

/** A total over the rows of a table that belong to a record: line items, or those that name it by a column. */
interface RowTotal {
  readonly items: string;
  readonly by?: string;
  readonly field?: string;
  /** The condition under which a row counts. */
  readonly when?: readonly (readonly { readonly field: string }[])[];
}

/** Rules and computed fields, without their functions. */
export interface TableLogic {
  /** The module that exports them, and their name there: other threads load them by these. */
  readonly url: string;
  readonly name: string;
  readonly rules: readonly TableRule[];
  /** The totals that they read, by expression. */
  readonly totals: Readonly<Record<string, RowTotal>>;
  /** By field. */
  readonly computed: Readonly<Record<string, { readonly expression: string }>>;
  /** The rules of transitions, by their names. */
  readonly transitions: Readonly<Record<string, readonly TableRule[]>>;
  /** The conditions of groups of fields in forms, by their titles. */
  readonly form?: Readonly<Record<string, unknown>>;
}

/**
 * The desired table of a resource, as plain data but for its logic: the store creates, reads and writes from it alone. `T` is
 * the record as a client sees it.
 */
export interface Table<T = unknown> extends Operated {
  /** The name of the table, of the resource in ids (`lead_01J…`) and in the spec. */
  readonly name: string;
  /** The area and the last segment of the URL, like `crm/lead`. Scopes name the resource by it. */
  readonly path: string;
  /** The name of one record in running text. */
  readonly title: string;
  /** Every field in the order of the spec, `id` first and the timestamps last. */
  readonly columns: readonly Column[];
  readonly parent?: Parent;
  readonly unique?: readonly Unique[];
  readonly locks?: readonly Lock[];
  /** Its rules and computed fields. */
  readonly logic?: TableLogic;
  readonly list: ListFields;
  /** A field: lists leave out the records in which it has a value, unless a request asks for them. */
  readonly unlistedBy?: string;
  /** The lists that a record can be shown with: line items by the last segment of their path, others by their name. */
  readonly expand?: Readonly<Record<string, ShownList>>;
  /** The names it had before. */
  readonly renamedFrom?: readonly string[];
  /** Whether what is done to its records is noted; true without it. */
  readonly events?: boolean;
  /** Bytes that a request body, and the JSON of a record, may have. */
  readonly maxBody: number;
  /** Never there: it carries the type of the record. */
  readonly record?: T;
}

/** A list that a record can be shown with. */
interface ShownList {
  readonly table: string;
  /** The column of its rows that names the record; without it, the record is their parent. */
  readonly field?: string;
}

/** The key under which `expand` shows the record that a reference names: `customer` for `customer_id`. */
export const referenceKey = (column: string): string =>
  column.endsWith('_id') ? column.slice(0, -'_id'.length) : `${column}_record`;

/** Another part that a record can be shown with: a list of its line items or of records that name it, or one that it names. */
export interface Expandable extends ShownList {
  /** The value of `expand`: the name of the list, or the column. */
  readonly name: string;
  /** The key in the record. */
  readonly key: string;
  /** The column of the reference to the record that is shown; none of a list. */
  readonly column?: string;
}

/** The parts that records of a table can be shown with. A reference to records of several tables is one for each of these. */
export const expandablesOf = ({ expand = {}, columns }: Pick<Table, 'expand' | 'columns'>): Expandable[] => [
  ...Object.entries(expand).map(([name, list]) => ({ name, key: name.replaceAll('-', '_'), ...list })),
  ...columns.flatMap(({ name, references }) =>
    references && references.expand !== false
      ? targetsOf(references).map((table) => ({ name, key: referenceKey(name), table, column: name }))
      : [],
  ),
];

/** Without a path it is the name, and so is the title, with spaces. The operations are by default all that the kind has. */
type Options = Partial<Pick<Table, 'path' | 'title' | 'operations' | 'maxBody' | 'events' | 'renamedFrom'>>;

/** A trait of a table: a machinery that its records have, like unique values. The feature that has it exports it. */
export type Trait = (table: Table) => Table;

const schemas = new WeakMap<Table | Transition, z.ZodObject>();

const zodTypes = new WeakMap<Column, z.ZodType>();

/** The zod type of a column's values, of which a record may show null as well; undefined in a thread that was sent the table. */
export const fieldOf = (column: Column): z.ZodType | undefined => zodTypes.get(column);

/** The schema of the record that a table was made for, or of the input of one of its transitions. */
export function schemaOf(described: Table | Transition): z.ZodObject {
  const schema = schemas.get(described);
  if (!schema) throw new Error(`${described.name} was not made by record, lineItem or singleton, or takes no input.`);
  return schema;
}

const columnsOf = (schema: z.ZodObject): Column[] =>
  Object.entries(schema.shape).map(([name, field]) => {
    const { presence, initiallyNull: _, items: __, ...facts } = factsOf(field as z.ZodType);
    const column = { name, readOnly: presence === 'server', ...facts };
    zodTypes.set(column, field as z.ZodType);
    return column;
  });

/** A transition without its name, and with the schema of its input. */
type Move = Omit<Transition, 'name' | 'input'> & { readonly input?: z.ZodObject | undefined };

function transitionOf(name: string, { input, ...move }: Move): Transition {
  if (!input) return { name, ...move };
  const made = { name, ...move, input: columnsOf(input) };
  schemas.set(made, input);
  return made;
}

/** An operation that moves a field from one of some states to another. */
export const transition =
  (name: string, move: Move): Trait =>
  (table) => ({ ...table, transitions: [...table.transitions, transitionOf(name, move)] });

/** The fields that the list can be filtered, sorted and searched by, beside those that every list has. */
export const listed =
  ({ filter = [], ...list }: Partial<ListFields>): Trait =>
  (table) => ({
    ...table,
    list: { ...table.list, ...list, filter: [...new Set([...filter, ...table.list.filter])] },
  });

type TableOf<O extends object> = <S extends Shape>(
  name: string,
  schema: z.ZodObject<S>,
  ...rest: object extends O ? [options?: O, traits?: readonly Trait[]] : [options: O, traits?: readonly Trait[]]
) => Table<z.output<z.ZodObject<S>>>;

const tableOf =
  (kind: Kind): TableOf<Options & { parent?: Parent }> =>
  <S extends Shape>(
    name: string,
    schema: z.ZodObject<S>,
    options: Options & { parent?: Parent } = {},
    traits: readonly Trait[] = [],
  ): Table<z.output<z.ZodObject<S>>> => {
    const columns = columnsOf(schema);
    const filter = columns.flatMap(({ name: column, references }) => (references ? [column] : []));
    const plain: Table = {
      name,
      path: name,
      title: name.replaceAll('_', ' '),
      kind,
      operations: defaultOperations(kind),
      transitions: [],
      columns,
      maxBody: maxBodyBytes,
      list: { filter, sort: [], search: [] },
      ...options,
    };
    const table = traits.reduce((made, trait) => trait(made), plain) as Table<z.output<z.ZodObject<S>>>;
    schemas.set(table, schema);
    return table;
  };

/** The table of a top-level record. */
export const record: TableOf<Options> = tableOf('record');

/** The table of a line item; `parent` says where the record is named that it belongs to. */
export const lineItem: TableOf<Options & { parent: Parent }> = tableOf('line-item');

/** The table of a resource that has exactly one record, present from the first start on. */
export const singleton: TableOf<Options> = tableOf('singleton');
