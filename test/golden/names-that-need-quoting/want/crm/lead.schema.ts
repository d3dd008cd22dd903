// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, optional, query, record, updatable } from '../../runtime/index.ts';

/** A person who may buy something. */
export const Lead = z.strictObject({
  id: field.id(),
  single: optional(field.text(), "it's"),
  double: optional(field.text(), 'the "best"'),
  both: optional(field.text(), 'it\'s "the" best'),
  more_singles: optional(field.text(), '\'tis "it\'s"'),
  back: optional(field.text(), 'C:\\new\\table'),
  end: optional(field.text(), 'back\\'),
  ticks: optional(field.text(), '`${name}`'),
  lines: optional(field.text(), 'a\nb\tc'),
  separators: optional(field.text(), 'a b cd ef'),
  control: optional(field.text(), '\u001b\u0001'),
  comment: optional(field.text(), '*/ // <!-- --'),
  empty: optional(field.text(), ''),
  emoji: optional(field.text(), '🙂'),
  sql: optional(field.text(), "'); drop table lead; --"),
  quoted: optional(field.oneOf(["it's", 'a "b"', 'c\\d', '', '1', 'null', 'l\nm']), "it's"),
  pattern: optional(field.text({ pattern: /^[a-z/\\"']*$/u }), 'a/b\'\\"'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadUpdate = updatable(Lead);
export const LeadQuery = query(Lead);
export const leadTable = record('lead', Lead, { path: 'crm/lead' }, [listed(LeadQuery)]);
