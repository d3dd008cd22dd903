// Generated from spec/signing/signing-document.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  counted,
  creatable,
  field,
  listed,
  optional,
  query,
  record,
  transition,
  updatable,
} from '../../runtime/index.ts';

/** A document that is sent out to be signed electronically. */
export const SigningDocument = z.strictObject({
  id: field.id(),
  /** Moved by submit and cancel; can also be set directly. */
  status: optional(field.text(), 'draft'),
  document_type: optional(field.text(), 'document'),
  template_type: optional(field.text()),
  template_id: optional(field.text()),
  source: optional(field.text(), 'document'),
  title: field.text(),
  company: optional(field.text()),
  external_id: optional(field.text()),
  /** Progress of the signing; `status` is that of the record. */
  signing_status: optional(field.text(), 'pending'),
  completed_at: optional(field.text()),
  signing_order: optional(field.text(), 'parallel'),
  /** Whether a signer may name who signs next. */
  allow_dictate_next_signer: optional(field.boolean(), false),
  typed_signature_enabled: optional(field.boolean(), true),
  draw_signature_enabled: optional(field.boolean(), true),
  upload_signature_enabled: optional(field.boolean(), true),
  /** How the document reaches its signers. */
  distribution_method: optional(field.text(), 'email'),
  email_subject: optional(field.text()),
  email_message: optional(field.text()),
  redirect_url: optional(field.text()),
  timezone: optional(field.text(), 'Etc/UTC'),
  date_format: optional(field.text(), 'yyyy-MM-dd hh:mm a'),
  language: optional(field.text(), 'en'),
  expires_at: optional(field.text()),
  /** Kept as it was sent. */
  reminder_settings: optional(field.text()),
  /** Kept as it was sent. */
  auth_options: optional(field.text()),
  /** Kept as it was sent. */
  form_values: optional(field.text()),
  visibility: optional(field.text(), 'everyone'),
  public_title: optional(field.text()),
  public_description: optional(field.text()),
  /** Type of the record that the document refers to. */
  reference_doctype: optional(field.text()),
  /** Name of the record that the document refers to. */
  reference_name: optional(field.text()),
  party_type: optional(field.text()),
  party_name: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type SigningDocument = z.infer<typeof SigningDocument>;

export const SigningDocumentCreate = creatable(SigningDocument);
export const SigningDocumentUpdate = updatable(SigningDocument);
export const SigningDocumentQuery = query(SigningDocument, {
  filter: ['status', 'signing_status', 'document_type', 'company'],
  sort: ['title', 'expires_at'],
  search: ['title', 'public_title', 'public_description', 'party_name'],
});
export const signingDocumentTable = record('signing_document', SigningDocument, { path: 'signing/signing-document' }, [
  listed(SigningDocumentQuery),
  counted({ by: ['status'] }),
  transition('submit', { field: 'status', from: ['draft'], to: 'submitted' }),
  transition('cancel', { field: 'status', from: ['submitted'], to: 'cancelled' }),
]);
