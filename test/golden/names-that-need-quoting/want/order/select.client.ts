// Generated from spec/order/select.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';
import type { Group } from './group.client.ts';

/** A record whose names mean something in SQL and in TypeScript. */
export interface Select {
  readonly id: string;
  /** A word of SQL and of TypeScript. */
  default: string;
  order: number | null;
  class: string | null;
  select: number | null;
  table: boolean | null;
  type: 'select' | 'from' | 'where' | null;
  from: string | null;
  where: string | null;
  delete: string | null;
  await: string | null;
  async: string | null;
  new: string | null;
  null: string | null;
  true: boolean | null;
  undefined: string | null;
  this: string | null;
  function: string | null;
  import: string | null;
  export: string | null;
  let: string | null;
  enum: 'enum' | null;
  rowid: string | null;
  oid: number | null;
  primary: string | null;
  transaction: string | null;
  count: number | null;
  total: string | null;
  data: string | null;
  limit: number | null;
  offset: number | null;
  idx: number | null;
  valueof: string | null;
  z: string | null;
  text: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type SelectCreate = client.Creatable<Select, 'default'>;
export type SelectUpdate = client.Updatable<Select>;

/** The line items that selects can be shown with. */
export interface SelectExpand {
  group: Group;
}

/** The operations of `/api/order/select`. */
export const selectOperations = (requests: client.Requests) => {
  const path = '/api/order/select';
  return {
    /** List selects, newest first. */
    ...client.lists<Select, client.RecordFilter, never, SelectExpand>(requests, path),

    /** Create a select. */
    create: client.create<Select, SelectCreate>(requests, path),

    /** Retrieve a select. */
    retrieve: client.retrieve<Select, SelectExpand>(requests, path),

    /** Update a select. */
    update: client.update<Select, SelectUpdate>(requests, path),

    /** Delete a select. */
    delete: client.remove(requests, path),

    /** Table a select: type from from to where. */
    table: client.change<Select>(requests, path, 'table'),
  };
};
