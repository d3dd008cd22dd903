import type { z } from 'zod';
import { maxBodyBytes } from './limits.ts';
import { type ColumnType, factsOf, type Value } from './fields.ts';
import { defaultOperations, type Kind, type Operated, type OperationName, type Transition } from './operations.ts';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** The value that a create stores if the client leaves the field out, and that older rows get when the column is added. */
  readonly default: Value;
  /** A record may show null. */
  readonly isNullable: boolean;
  /** The value of a required field in rows that hold none. */
  readonly backfill?: Value;
  /** Only the service sets it: an update may repeat the stored value and cannot change it. */
  readonly readOnly: boolean;
  /** The names it had before. */
  readonly renamedFrom?: readonly string[];
}

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
 * The fields that a list can be filtered and sorted by, and those that it is searched in. `id`, and `created_at` where a
 * record has it, can always be filtered and sorted by, and are not in here.
 */
export interface ListFields {
  readonly filter: readonly string[];
  readonly sort: readonly string[];
  readonly search: readonly string[];
}

/**
 * The desired table of a resource, as plain data: the store creates, reads and writes from it alone. `T` is the record
 * as a client sees it.
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
  readonly list: ListFields;
  /** The tables of the line items that a record can be shown with, by the last segment of their path. */
  readonly expand?: Readonly<Record<string, string>>;
  /** The names it had before. */
  readonly renamedFrom?: readonly string[];
  /** Bytes a request body may hold. */
  readonly maxBody: number;
  /** Never there: it carries the type of the record. */
  readonly record?: T;
}

interface Options {
  /** Without it, the name. */
  path?: string;
  /** The name of one record in running text, where it is not the table's name with spaces. */
  title?: string;
  maxBody?: number;
  list?: Partial<ListFields>;
  expand?: Readonly<Record<string, string>>;
  /** Without it, all that the kind has by default. */
  operations?: readonly OperationName[];
  /** By name. */
  transitions?: Readonly<Record<string, Omit<Transition, 'name'>>>;
  renamedFrom?: readonly string[];
}

const schemas = new WeakMap<Table, z.ZodObject>();

/** The schema of the record that a table was made for. */
export function schemaOf(table: Table): z.ZodObject {
  const schema = schemas.get(table);
  if (!schema) throw new Error(`The table ${table.name} was not made by record, lineItem or singleton.`);
  return schema;
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
    const columns = Object.entries(schema.shape).map(([column, field]) => {
      const { type, presence, isNullable, default: value, backfill, renamedFrom } = factsOf(field as z.ZodType);
      const readOnly = presence === 'server';
      return {
        name: column,
        type,
        isNullable,
        default: value,
        readOnly,
        ...(backfill !== undefined && { backfill }),
        ...(renamedFrom && { renamedFrom }),
      };
    });
    const { filter = [], sort = [], search = [] } = list;
    const transitions = Object.entries(moves).map(([move, states]) => ({ name: move, ...states }));
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
