// Generated from spec/files/attachment.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A file that belongs to an order, with its content. */
export interface Attachment {
  readonly id: string;
  /** Order the file belongs to; its existence is not checked. */
  order_id: string;
  title: string | null;
  position: number | null;
  /** Kind of storage the file is kept in. */
  storage: string | null;
  data: string;
  preview: string | null;
  page_count: number | null;
  /** Media type of the file. */
  content_type: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type AttachmentCreate = client.Creatable<Attachment, 'data' | 'order_id'>;
export type AttachmentUpdate = client.Updatable<Attachment>;

/** The filters of lists of attachments. */
export interface AttachmentFilter extends client.RecordFilter {
  order_id?: client.TextFilter;
  content_type?: client.TextFilter;
}

/** The operations of `/api/files/attachment`. */
export const attachmentOperations = (requests: client.Requests) => {
  const path = '/api/files/attachment';
  return {
    /** List attachments, newest first. */
    ...client.searchedLists<Attachment, AttachmentFilter>(requests, path),

    /** Create an attachment. */
    create: client.create<Attachment, AttachmentCreate>(requests, path),

    /** Retrieve an attachment. */
    retrieve: client.retrieve<Attachment>(requests, path),

    /** Update an attachment. */
    update: client.update<Attachment, AttachmentUpdate>(requests, path),

    /** Delete an attachment. */
    delete: client.remove(requests, path),
  };
};
