// Generated from spec/signing/signing-document-data.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, optional, query, record, updatable } from '../../runtime/index.ts';

/** A file that belongs to a signing document, with its content. */
export const SigningDocumentData = z.strictObject({
  id: field.id(),
  /** Signing document the file belongs to; its existence is not checked. */
  signing_document_id: field.text(),
  title: optional(field.text()),
  /** Position among the files of the signing document. */
  display_order: optional(field.integer(), 1),
  /** Kind of storage the file is kept in. The default is the constant object_storage of spec/service.yaml. */
  storage_type: optional(field.text(), 's3'),
  data: field.text({ max: 10485760 }),
  initial_data: optional(field.text({ max: 10485760 })),
  page_count: optional(field.integer()),
  /** Media type of the file. */
  content_type: optional(field.text(), 'application/pdf'),
  file_size: optional(field.integer()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type SigningDocumentData = z.infer<typeof SigningDocumentData>;

export const SigningDocumentDataCreate = creatable(SigningDocumentData);
export const SigningDocumentDataUpdate = updatable(SigningDocumentData);
export const SigningDocumentDataQuery = query(SigningDocumentData, {
  filter: ['signing_document_id', 'content_type'],
  sort: ['display_order'],
  search: ['title'],
});
export const signingDocumentDataTable = record(
  'signing_document_data',
  SigningDocumentData,
  { path: 'signing/signing-document-data', maxBody: 16 * 1024 * 1024 },
  [listed(SigningDocumentDataQuery)],
);
