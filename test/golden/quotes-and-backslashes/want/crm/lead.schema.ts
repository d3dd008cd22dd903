// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, oneOf, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A person who may buy something. */
export const Lead = z.strictObject({
  id: id(),
  single: optional(text(), "it's"),
  double: optional(text(), 'the "best"'),
  both: optional(text(), 'it\'s "the" best'),
  more_singles: optional(text(), '\'tis "it\'s"'),
  back: optional(text(), 'C:\\new\\table'),
  end: optional(text(), 'back\\'),
  ticks: optional(text(), '`${name}`'),
  lines: optional(text(), 'a\nb\tc'),
  separators: optional(text(), 'a b cd e﻿f'),
  control: optional(text(), '\u001b\u0001'),
  comment: optional(text(), '*/ // <!-- --'),
  empty: optional(text(), ''),
  emoji: optional(text(), '🙂'),
  sql: optional(text(), "'); drop table lead; --"),
  quoted: optional(oneOf(["it's", 'a "b"', 'c\\d', '', '1', 'null', 'l\nm']), "it's"),
  pattern: optional(text({ pattern: /^[a-z/\\"']*$/u }), 'a/b\'\\"'),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadUpdate = updatable(Lead);
export const leadTable = record('lead', Lead);
