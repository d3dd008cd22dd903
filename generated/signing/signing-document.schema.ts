// Generated from spec/signing/signing-document.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { boolean, creatable, id, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A document that is sent out to be signed electronically. */
export const SigningDocument = z.strictObject({
  id: id(),
  /** Moved by submit and cancel; can also be set directly. */
  status: optional(text(), 'draft'),
  document_type: optional(text(), 'document'),
  template_type: optional(text()),
  template_id: optional(text()),
  source: optional(text(), 'document'),
  title: text(),
  company: optional(text()),
  external_id: optional(text()),
  /** Progress of the signing; `status` is that of the record. */
  signing_status: optional(text(), 'pending'),
  completed_at: optional(text()),
  signing_order: optional(text(), 'parallel'),
  /** Whether a signer may name who signs next. */
  allow_dictate_next_signer: optional(boolean(), false),
  typed_signature_enabled: optional(boolean(), true),
  draw_signature_enabled: optional(boolean(), true),
  upload_signature_enabled: optional(boolean(), true),
  /** How the document reaches its signers. */
  distribution_method: optional(text(), 'email'),
  email_subject: optional(text()),
  email_message: optional(text()),
  redirect_url: optional(text()),
  timezone: optional(text(), 'Etc/UTC'),
  date_format: optional(text(), 'yyyy-MM-dd hh:mm a'),
  language: optional(text(), 'en'),
  expires_at: optional(text()),
  /** A plain string that this service does not interpret. */
  reminder_settings: optional(text()),
  /** A plain string that this service does not interpret. */
  auth_options: optional(text()),
  /** A plain string that this service does not interpret. */
  form_values: optional(text()),
  visibility: optional(text(), 'everyone'),
  public_title: optional(text()),
  public_description: optional(text()),
  /** Type of the record that the document refers to. */
  reference_doctype: optional(text()),
  /** Name of the record that the document refers to. */
  reference_name: optional(text()),
  party_type: optional(text()),
  party_name: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type SigningDocument = z.infer<typeof SigningDocument>;

export const SigningDocumentCreate = creatable(SigningDocument);
export const SigningDocumentUpdate = updatable(SigningDocument);
export const signingDocumentTable = record('signing_document', SigningDocument);
