// Generated from spec/order/select.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  boolean,
  creatable,
  id,
  integer,
  number,
  oneOf,
  optional,
  record,
  text,
  timestamp,
  updatable,
} from '../../runtime/index.ts';

/** A record whose names mean something in SQL and in TypeScript. */
export const Select = z.strictObject({
  id: id(),
  /** A word of SQL and of TypeScript. */
  default: text(),
  order: optional(integer()),
  class: optional(text(), 'first'),
  select: optional(number()),
  table: optional(boolean()),
  type: optional(oneOf(['select', 'from', 'where']), 'from'),
  from: optional(text()),
  where: optional(text()),
  delete: optional(text()),
  await: optional(text()),
  async: optional(text()),
  new: optional(text()),
  null: optional(text()),
  true: optional(boolean()),
  undefined: optional(text()),
  this: optional(text()),
  function: optional(text()),
  import: optional(text()),
  export: optional(text()),
  let: optional(text()),
  enum: optional(oneOf(['enum'])),
  rowid: optional(text()),
  oid: optional(integer()),
  primary: optional(text()),
  transaction: optional(text()),
  count: optional(integer()),
  total: optional(text()),
  data: optional(text()),
  limit: optional(integer()),
  offset: optional(integer()),
  idx: optional(integer()),
  valueof: optional(text()),
  z: optional(text()),
  text: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Select = z.infer<typeof Select>;

export const SelectCreate = creatable(Select);
export const SelectUpdate = updatable(Select);
export const selectTable = record('select', Select);
