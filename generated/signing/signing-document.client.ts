// Generated from spec/signing/signing-document.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A document that is sent out to be signed electronically. */
export interface SigningDocument {
  readonly id: string;
  /** Moved by submit and cancel; can also be set directly. */
  status: string | null;
  document_type: string | null;
  template_type: string | null;
  template_id: string | null;
  source: string | null;
  title: string;
  company: string | null;
  external_id: string | null;
  /** Progress of the signing; `status` is that of the record. */
  signing_status: string | null;
  completed_at: string | null;
  signing_order: string | null;
  /** Whether a signer may name who signs next. */
  allow_dictate_next_signer: boolean | null;
  typed_signature_enabled: boolean | null;
  draw_signature_enabled: boolean | null;
  upload_signature_enabled: boolean | null;
  /** How the document reaches its signers. */
  distribution_method: string | null;
  email_subject: string | null;
  email_message: string | null;
  redirect_url: string | null;
  timezone: string | null;
  date_format: string | null;
  language: string | null;
  expires_at: string | null;
  /** Kept as it was sent. */
  reminder_settings: string | null;
  /** Kept as it was sent. */
  auth_options: string | null;
  /** Kept as it was sent. */
  form_values: string | null;
  visibility: string | null;
  public_title: string | null;
  public_description: string | null;
  /** Type of the record that the document refers to. */
  reference_doctype: string | null;
  /** Name of the record that the document refers to. */
  reference_name: string | null;
  party_type: string | null;
  party_name: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type SigningDocumentCreate = client.Creatable<SigningDocument, 'title'>;
export type SigningDocumentUpdate = client.Updatable<SigningDocument>;

/** The filters of lists of signing documents. */
export interface SigningDocumentFilter extends client.RecordFilter {
  status?: client.TextFilter;
  signing_status?: client.TextFilter;
  document_type?: client.TextFilter;
  company?: client.TextFilter;
}

export type SigningDocumentSort = 'title' | 'expires_at';

/** The operations of `/api/signing/signing-document`. */
export const signingDocumentOperations = (requests: client.Requests) => {
  const path = '/api/signing/signing-document';
  return {
    /** List signing documents, newest first. */
    ...client.searchedLists<SigningDocument, SigningDocumentFilter, SigningDocumentSort>(requests, path),

    /** Create a signing document. */
    create: client.create<SigningDocument, SigningDocumentCreate>(requests, path),

    /** Retrieve a signing document. */
    retrieve: client.retrieve<SigningDocument>(requests, path),

    /** Update a signing document. */
    update: client.update<SigningDocument, SigningDocumentUpdate>(requests, path),

    /** Delete a signing document. */
    delete: client.remove(requests, path),

    /** Submit a signing document: status from draft to submitted. */
    submit: client.change<SigningDocument>(requests, path, 'submit'),

    /** Cancel a signing document: status from submitted to cancelled. */
    cancel: client.change<SigningDocument>(requests, path, 'cancel'),

    /** Count signing documents. */
    count: client.counts<SigningDocument, SigningDocumentFilter, 'status', never, string>(requests, path),
  };
};
