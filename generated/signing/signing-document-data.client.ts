// Generated from spec/signing/signing-document-data.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A file that belongs to a signing document, with its content. */
export interface SigningDocumentData {
  readonly id: string;
  /** Signing document the file belongs to; its existence is not checked. */
  signing_document_id: string;
  title: string | null;
  /** Position among the files of the signing document. */
  display_order: number | null;
  /** Kind of storage the file is kept in. */
  storage_type: string | null;
  data: string;
  initial_data: string | null;
  page_count: number | null;
  /** Media type of the file. */
  content_type: string | null;
  file_size: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type SigningDocumentDataCreate = client.Creatable<SigningDocumentData, 'data' | 'signing_document_id'>;
export type SigningDocumentDataUpdate = client.Updatable<SigningDocumentData>;

/** The filters of lists of signing document data. */
export interface SigningDocumentDataFilter extends client.RecordFilter {
  signing_document_id?: client.TextFilter;
  content_type?: client.TextFilter;
}

export type SigningDocumentDataSort = 'display_order';

/** The operations of `/api/signing/signing-document-data`. */
export const signingDocumentDataOperations = (requests: client.Requests) => {
  const path = '/api/signing/signing-document-data';
  return {
    /** List signing document data, newest first. */
    ...client.searchedLists<SigningDocumentData, SigningDocumentDataFilter, SigningDocumentDataSort>(requests, path),

    /** Create signing document data. */
    create: client.create<SigningDocumentData, SigningDocumentDataCreate>(requests, path),

    /** Retrieve signing document data. */
    retrieve: client.retrieve<SigningDocumentData>(requests, path),

    /** Update signing document data. */
    update: client.update<SigningDocumentData, SigningDocumentDataUpdate>(requests, path),

    /** Delete signing document data. */
    delete: client.remove(requests, path),
  };
};
