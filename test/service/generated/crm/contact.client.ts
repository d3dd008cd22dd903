// Generated from spec/crm/contact.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A person to talk to at another company. */
export interface Contact {
  readonly id: string;
  full_name: string;
  company: string | null;
  birthday: string | null;
  notes: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type ContactCreate = client.Creatable<Contact, 'full_name'>;
export type ContactUpdate = client.Updatable<Contact>;

/** The filters of lists of contacts. */
export interface ContactFilter extends client.RecordFilter {
  company?: client.TextFilter;
  birthday?: client.DateFilter;
}

export type ContactSort = 'full_name';

/** The operations of `/api/crm/contact`. */
export const contactOperations = (requests: client.Requests) => {
  const path = '/api/crm/contact';
  return {
    /** List contacts, newest first. */
    ...client.searchedLists<Contact, ContactFilter, ContactSort>(requests, path),

    /** Create a contact. */
    create: client.create<Contact, ContactCreate>(requests, path),

    /** Retrieve a contact. */
    retrieve: client.retrieve<Contact>(requests, path),

    /** Update a contact. */
    update: client.update<Contact, ContactUpdate>(requests, path),

    /** Delete a contact. */
    delete: client.remove(requests, path),
  };
};
