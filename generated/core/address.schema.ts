// Generated from spec/core/address.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { counted, creatable, field, listed, optional, query, record, updatable } from '../../runtime/index.ts';

/** A postal address with its contact details, for billing, shipping or any other purpose. */
export const Address = z.strictObject({
  id: field.id(),
  address_title: optional(field.text()),
  address_type: field.text(),
  address_line1: field.text(),
  address_line2: optional(field.text()),
  city: field.text(),
  county: optional(field.text()),
  state: optional(field.text()),
  country: field.text(),
  /** Postal code. */
  pincode: optional(field.text()),
  /** Email address. */
  email_id: optional(field.text()),
  phone: optional(field.text()),
  fax: optional(field.text()),
  is_primary_address: optional(field.boolean(), false),
  is_shipping_address: optional(field.boolean(), false),
  disabled: optional(field.boolean(), false),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Address = z.infer<typeof Address>;

export const AddressCreate = creatable(Address);
export const AddressUpdate = updatable(Address);
export const AddressQuery = query(Address, {
  filter: ['address_type', 'country', 'city', 'pincode'],
  sort: ['address_title', 'city'],
  search: ['address_title', 'address_line1', 'address_line2', 'city', 'email_id'],
});
export const addressTable = record('address', Address, { path: 'core/address' }, [
  listed(AddressQuery),
  counted({ by: ['address_type'] }),
]);
