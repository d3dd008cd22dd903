// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/**
 * A person or a company that may buy something, found by a campaign, by a referral or by chance, and kept here until
 * somebody has spoken to them and knows better.
 */
export interface Lead {
  readonly id: string;
  /** Ends no comment: *\/ nor starts one: /* but may name `code`, ${code} and <b>HTML</b>. */
  name: string | null;
  /** With 'single', "double" and `back` quotes, a \ backslash and a tab. */
  email: string | null;
  /** A text that is just as long as can stand in a comment of one line, where 120 columns are all the room there is. */
  fits_exactly: string | null;
  /**
   * A text that is one letter longer than what can stand in a comment of one line, where 120 columns is all there is
   */
  one_too_long: string | null;
  /** A text of two paragraphs, the second of which is here. */
  notes: string | null;
  /** Größe, 東京 and 🙂. */
  city: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type LeadCreate = client.Creatable<Lead>;
export type LeadUpdate = client.Updatable<Lead>;

/** The operations of `/api/crm/lead`. */
export const leadOperations = (requests: client.Requests) => {
  const path = '/api/crm/lead';
  return {
    /** List leads, newest first. */
    ...client.lists<Lead, client.RecordFilter>(requests, path),

    /** Create a lead. */
    create: client.create<Lead, LeadCreate>(requests, path),

    /** Retrieve a lead. */
    retrieve: client.retrieve<Lead>(requests, path),

    /** Update a lead. */
    update: client.update<Lead, LeadUpdate>(requests, path),

    /** Delete a lead. */
    delete: client.remove(requests, path),
  };
};
