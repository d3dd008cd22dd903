import type { z } from 'zod';
import { maxBodyBytes } from './limits.ts';
import { type ColumnType, factsOf, type Value } from './fields.ts';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** What a create stores when the client leaves the field out, and what older rows get when the column is added. */
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

/** Where the parent of a line item is named. */
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
export interface Table<T = unknown> {
  /** The name of the table, of the resource in ids (`lead_01J…`) and in the spec. */
  readonly name: string;
  /** The name of one record in running text. */
  readonly title: string;
  readonly kind: 'record' | 'line-item' | 'singleton';
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
  /** The name of one record in running text, where it is not the table's name with spaces. */
  title?: string;
  maxBody?: number;
  list?: Partial<ListFields>;
  expand?: Readonly<Record<string, string>>;
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
  (kind: Table['kind']): TableOf<[options?: Options & { parent?: Parent }]> =>
  <T>(
    name: string,
    schema: z.ZodObject & z.ZodType<T>,
    {
      title = name.replaceAll('_', ' '),
      maxBody = maxBodyBytes,
      list = {},
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
    const table = { name, title, kind, columns, maxBody, list: { filter, sort, search }, ...rest };
    schemas.set(table, schema);
    return table;
  };

/** The table of a top-level record. */
export const record: TableOf<[options?: Options]> = tableOf('record');

/** The table of a line item; `parent` says where the record is named that it belongs to. */
export const lineItem: TableOf<[options: Options & { parent: Parent }]> = tableOf('line-item');

/** The table of a resource that has exactly one record, present from the first start on. */
export const singleton: TableOf<[options?: Options]> = tableOf('singleton');
