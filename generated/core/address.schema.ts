// Generated from spec/core/address.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { boolean, creatable, id, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A postal address with its contact details, for billing, shipping or any other purpose. */
export const Address = z.strictObject({
  id: id(),
  address_title: optional(text()),
  address_type: text(),
  address_line1: text(),
  address_line2: optional(text()),
  city: text(),
  county: optional(text()),
  state: optional(text()),
  country: text(),
  /** Postal code. */
  pincode: optional(text()),
  /** Email address. */
  email_id: optional(text()),
  phone: optional(text()),
  fax: optional(text()),
  is_primary_address: optional(boolean(), false),
  is_shipping_address: optional(boolean(), false),
  disabled: optional(boolean(), false),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Address = z.infer<typeof Address>;

export const AddressCreate = creatable(Address);
export const AddressUpdate = updatable(Address);
export const addressTable = record('address', Address);
