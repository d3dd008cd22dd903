import type { z } from 'zod';
import type { Logic } from '../rules/logic.ts';
import { maxBodyBytes } from './limits.ts';
import { factsOf, type FieldFacts, type FieldValue, type Value } from './fields.ts';
import { toTimestamp } from './formats.ts';
import { valueOfMoment } from './moments.ts';
import { defaultOperations, type Kind, type Operated, type Transition } from './operations.ts';

/** A field of a record, and its column. */
export interface Column extends Omit<FieldFacts, 'presence' | 'initiallyNull' | 'items'> {
  readonly name: string;
  /** Only the service sets it: an update may repeat the stored value and cannot change it. */
  readonly readOnly: boolean;
}

/** The value that a create stores if the client leaves a field out. @param time that of the create */
export const absentValue = ({ default: value, moment }: Column, time: string): Value =>
  moment ? valueOfMoment(moment, time) : value;

/** A value of a field by its present name, or a list by those of its values. */
export function presentValue({ formerValues }: Column, value: FieldValue): FieldValue {
  if (!formerValues) return value;
  const present = (one: Value): Value =>
    typeof one === 'string' && Object.hasOwn(formerValues, one) ? (formerValues[one] as string) : one;
  return Array.isArray(value) ? value.map(present) : present(value as Value);
}

/** A value that a column stores, as a record shows it. */
export const shownAs = (column: Column, value: Value): FieldValue => {
  const shown = value ?? column.backfill ?? null;
  const isJson = column.type === 'json' && shown !== null;
  return presentValue(column, isJson ? (JSON.parse(String(shown)) as FieldValue) : shown);
};

/** Whether a record shows a value. A date-time may be stored in an older form. */
export function showsValue(column: Column, shown: FieldValue, value: Value): boolean {
  if (column.type === 'json') return JSON.stringify(shown) === String(value);
  if (shown === value || column.format !== 'date-time' || typeof shown !== 'string') return shown === value;
  return toTimestamp(shown) === value;
}

/** A record as its JSON shows it. */
export type ShownRecord = Readonly<Record<string, FieldValue>>;

type Columns = Pick<Table, 'columns'>;

/** A new record, from a value for each column: a line item that is to be the last one has no place yet. */
export const shownRecord = ({ columns }: Columns, values: readonly Value[]): Record<string, FieldValue> =>
  Object.fromEntries(columns.map((column, i) => [column.name, shownAs(column, values[i] ?? null)]));

/** Values of some columns, as a record shows them. */
export const shownValues = (
  { columns }: Columns,
  values: Readonly<Record<string, Value>>,
): Record<string, FieldValue> =>
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
}

/** Fields of which no two records of an organization have the same values. A record with a null in one of them clashes with none. */
export interface Unique {
  readonly fields: readonly string[];
  /** Texts are the same if `foldText` makes them so. */
  readonly ignoreCase?: true;
}

/** The states of a field in which a record is locked: no update changes it, but in some fields, and nothing deletes it. */
export interface Lock {
  readonly field: string;
  readonly states: readonly string[];
  /** The fields that updates can still change. */
  readonly except?: readonly string[];
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
  readonly lock?: Lock;
  /** Its rules and computed fields. */
  readonly logic?: Logic;
  readonly list: ListFields;
  /** The tables of the line items that a record can be shown with, by the last segment of their path. */
  readonly expand?: Readonly<Record<string, string>>;
  /** The names it had before. */
  readonly renamedFrom?: readonly string[];
  /** Whether what is done to its records is noted; true without it. */
  readonly events?: boolean;
  /** Bytes that a request body, and the JSON of a record, may have. */
  readonly maxBody: number;
  /** Never there: it carries the type of the record. */
  readonly record?: T;
}

/** The key under which `expand` shows the record that a reference names: `customer` for `customer_id`. */
export const referenceKey = (column: string): string =>
  column.endsWith('_id') ? column.slice(0, -'_id'.length) : `${column}_record`;

/** Another part that a record can be shown with: a list of its line items, or the record that a reference names. */
export interface Expandable {
  /** The value of `expand`: the last segment of the path of the line items, or the column. */
  readonly name: string;
  /** The key in the record. */
  readonly key: string;
  readonly table: string;
  /** The column of the reference. */
  readonly column?: string;
}

/** The parts that records of a table can be shown with. */
export const expandablesOf = ({ expand = {}, columns }: Pick<Table, 'expand' | 'columns'>): Expandable[] => [
  ...Object.entries(expand).map(([name, table]) => ({ name, key: name.replaceAll('-', '_'), table })),
  ...columns.flatMap(({ name, references }) =>
    references ? [{ name, key: referenceKey(name), table: references.table, column: name }] : [],
  ),
];

/** Without a path it is the name, and so is the title, with spaces. The operations are by default all that the kind has. */
interface Options extends Partial<
  Omit<Table, 'name' | 'kind' | 'columns' | 'parent' | 'list' | 'transitions' | 'record'>
> {
  list?: Partial<ListFields>;
  /** By name. */
  transitions?: Readonly<
    Record<string, Omit<Transition, 'name' | 'input'> & { readonly input?: z.ZodObject | undefined }>
  >;
}

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

function transitionOf(name: string, { input, ...move }: NonNullable<Options['transitions']>[string]): Transition {
  if (!input) return { name, ...move };
  const transition = { name, ...move, input: columnsOf(input) };
  schemas.set(transition, input);
  return transition;
}

type TableOf<O extends unknown[]> = <T>(name: string, schema: z.ZodObject & z.ZodType<T>, ...options: O) => Table<T>;

const tableOf =
  (kind: Kind): TableOf<[options?: Options & { parent?: Parent }]> =>
  <T>(
    name: string,
    schema: z.ZodObject & z.ZodType<T>,
    {
      path = name,
      title = name.replaceAll('_', ' '),
      maxBody = maxBodyBytes,
      list = {},
      operations = defaultOperations(kind),
      transitions: moves = {},
      ...rest
    }: Options & { parent?: Parent } = {},
  ): Table<T> => {
    const columns = columnsOf(schema);
    const { filter: named = [], sort = [], search = [] } = list;
    const filter = [
      ...new Set([...named, ...columns.flatMap(({ name: column, references }) => (references ? [column] : []))]),
    ];
    const transitions = Object.entries(moves).map(([move, written]) => transitionOf(move, written));
    const fields = { filter, sort, search };
    const table = { name, path, title, kind, operations, transitions, columns, maxBody, list: fields, ...rest };
    schemas.set(table, schema);
    return table;
  };

/** The table of a top-level record. */
export const record: TableOf<[options?: Options]> = tableOf('record');

/** The table of a line item; `parent` says where the record is named that it belongs to. */
export const lineItem: TableOf<[options: Options & { parent: Parent }]> = tableOf('line-item');

/** The table of a resource that has exactly one record, present from the first start on. */
export const singleton: TableOf<[options?: Options]> = tableOf('singleton');
