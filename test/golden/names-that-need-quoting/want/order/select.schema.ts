// Generated from spec/order/select.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  creatable,
  expands,
  field,
  listed,
  optional,
  query,
  record,
  transition,
  updatable,
} from '../../runtime/index.ts';

/** A record whose names mean something in SQL and in TypeScript. */
export const Select = z.strictObject({
  id: field.id(),
  /** A word of SQL and of TypeScript. */
  default: field.text(),
  order: optional(field.integer()),
  class: optional(field.text(), 'first'),
  select: optional(field.number()),
  table: optional(field.boolean()),
  type: optional(field.oneOf(['select', 'from', 'where']), 'from'),
  from: optional(field.text()),
  where: optional(field.text()),
  delete: optional(field.text()),
  await: optional(field.text()),
  async: optional(field.text()),
  new: optional(field.text()),
  null: optional(field.text()),
  true: optional(field.boolean()),
  undefined: optional(field.text()),
  this: optional(field.text()),
  function: optional(field.text()),
  import: optional(field.text()),
  export: optional(field.text()),
  let: optional(field.text()),
  enum: optional(field.oneOf(['enum'])),
  rowid: optional(field.text()),
  oid: optional(field.integer()),
  primary: optional(field.text()),
  transaction: optional(field.text()),
  count: optional(field.integer()),
  total: optional(field.text()),
  data: optional(field.text()),
  limit: optional(field.integer()),
  offset: optional(field.integer()),
  idx: optional(field.integer()),
  valueof: optional(field.text()),
  z: optional(field.text()),
  text: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Select = z.infer<typeof Select>;

export const SelectCreate = creatable(Select);
export const SelectUpdate = updatable(Select);
export const SelectQuery = query(Select);
export const selectTable = record('select', Select, { path: 'order/select' }, [
  listed(SelectQuery),
  transition('table', { field: 'type', from: ['from'], to: 'where' }),
  expands('group', 'group'),
]);
