// Generated from spec/signing/signing-document-data.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, integer, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A file that belongs to a signing document, with its content. */
export const SigningDocumentData = z.strictObject({
  id: id(),
  /** Signing document the file belongs to; its existence is not checked. */
  signing_document_id: text(),
  title: optional(text()),
  /** Position among the files of the signing document. */
  display_order: optional(integer(), 1),
  /** Kind of storage the file is kept in. The default is the constant object_storage of spec/service.yaml. */
  storage_type: optional(text(), 's3'),
  data: text({ max: 10485760 }),
  initial_data: optional(text({ max: 10485760 })),
  page_count: optional(integer()),
  /** Media type of the file. */
  content_type: optional(text(), 'application/pdf'),
  file_size: optional(integer()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type SigningDocumentData = z.infer<typeof SigningDocumentData>;

export const SigningDocumentDataCreate = creatable(SigningDocumentData);
export const SigningDocumentDataUpdate = updatable(SigningDocumentData);
export const signingDocumentDataTable = record('signing_document_data', SigningDocumentData, {
  maxBody: 16 * 1024 * 1024,
});
