// Generated from spec/files/page.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A text of the usual size. */
export interface Page {
  readonly id: string;
  data: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export type PageCreate = client.Creatable<Page, 'data'>;
export type PageUpdate = client.Updatable<Page>;

/** The operations of `/api/files/page`. */
export const pageOperations = (requests: client.Requests) => {
  const path = '/api/files/page';
  return {
    /** List pages, newest first. */
    ...client.lists<Page, client.RecordFilter>(requests, path),

    /** Create a page. */
    create: client.create<Page, PageCreate>(requests, path),

    /** Retrieve a page. */
    retrieve: client.retrieve<Page>(requests, path),

    /** Update a page. */
    update: client.update<Page, PageUpdate>(requests, path),

    /** Delete a page. */
    delete: client.remove(requests, path),
  };
};
