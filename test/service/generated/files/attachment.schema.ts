// Generated from spec/files/attachment.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** A file that belongs to an order, with its content. */
export const Attachment = z.strictObject({
  id: field.id(),
  /** Order the file belongs to; its existence is not checked. */
  order_id: field.text(),
  title: optional(field.text()),
  position: optional(field.integer(), 1),
  /** Kind of storage the file is kept in. The default is the constant default_storage of spec/service.yaml. */
  storage: optional(field.text(), 's3'),
  data: field.text({ max: 10485760 }),
  preview: optional(field.text({ max: 10485760 })),
  page_count: optional(field.integer()),
  /** Media type of the file. */
  content_type: optional(field.text(), 'application/pdf'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Attachment = z.infer<typeof Attachment>;

export const AttachmentCreate = creatable(Attachment);
export const AttachmentUpdate = updatable(Attachment);
export const AttachmentQuery = query(Attachment, {
  filter: ['order_id', 'content_type'],
  search: ['title'],
});
export const attachmentTable = record('attachment', Attachment, {
  path: 'files/attachment',
  maxBody: 16 * 1024 * 1024,
  list: AttachmentQuery,
});
