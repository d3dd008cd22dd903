// Generated from spec/core/address.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A postal address with its contact details, for billing, shipping or any other purpose. */
export interface Address {
  readonly id: string;
  address_title: string | null;
  address_type: string;
  address_line1: string;
  address_line2: string | null;
  city: string;
  county: string | null;
  state: string | null;
  country: string;
  /** Postal code. */
  pincode: string | null;
  /** Email address. */
  email_id: string | null;
  phone: string | null;
  fax: string | null;
  is_primary_address: boolean | null;
  is_shipping_address: boolean | null;
  disabled: boolean | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type AddressCreate = client.Creatable<Address, 'address_line1' | 'address_type' | 'city' | 'country'>;
export type AddressUpdate = client.Updatable<Address>;

/** The filters of lists of addresses. */
export interface AddressFilter extends client.RecordFilter {
  address_type?: client.TextFilter;
  country?: client.TextFilter;
  city?: client.TextFilter;
  pincode?: client.TextFilter;
}

export type AddressSort = 'address_title' | 'city';

/** The operations of `/api/core/address`. */
export const addressOperations = (requests: client.Requests) => {
  const path = '/api/core/address';
  return {
    /** List addresses, newest first. */
    ...client.searchedLists<Address, AddressFilter, AddressSort>(requests, path),

    /** Create an address. */
    create: client.create<Address, AddressCreate>(requests, path),

    /** Retrieve an address. */
    retrieve: client.retrieve<Address>(requests, path),

    /** Update an address. */
    update: client.update<Address, AddressUpdate>(requests, path),

    /** Delete an address. */
    delete: client.remove(requests, path),

    /** Count addresses. */
    count: client.counts<Address, AddressFilter, 'address_type', never, string>(requests, path),
  };
};
