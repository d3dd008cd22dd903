// Generated from spec/crm/contact.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';
import type { DealPart } from './deal-part.client.ts';

/** A person at a customer. */
export interface Contact {
  readonly id: string;
  email: string | null;
  nickname: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type ContactCreate = client.Creatable<Contact>;
export type ContactUpdate = client.Updatable<Contact>;

/** The records that contacts can be shown with. */
export interface ContactExpand {
  made_parts: DealPart;
}

/** The operations of `/api/crm/contact`. */
export const contactOperations = (requests: client.Requests) => {
  const path = '/api/crm/contact';
  return {
    /** List contacts, newest first. */
    ...client.lists<Contact, client.RecordFilter, never, ContactExpand>(requests, path),

    /** Create a contact. */
    create: client.create<Contact, ContactCreate>(requests, path),

    /** Update a contact. */
    update: client.update<Contact, ContactUpdate>(requests, path),
  };
};
