// Generated from spec/lending/checkout.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** Something that a person has borrowed. */
export interface Checkout {
  readonly id: string;
  status: 'reserved' | 'handed_out' | 'back';
  readonly ends_on: string | null;
  extensions: number | null;
  fee: string | null;
  is_checked: boolean | null;
  tags: string[] | null;
  word: string | null;
  colour: 'now' | 'later' | null;
  reminded_at: string | null;
  former_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type CheckoutCreate = client.Creatable<Checkout, never, 'ends_on'>;
export type CheckoutUpdate = client.Updatable<Checkout>;

/** The input of extend. */
export interface CheckoutExtendInput {
  until: string;
}

/** The filters of lists of checkouts. */
export interface CheckoutFilter extends client.RecordFilter {
  former_id?: client.ReferenceFilter;
}

/** The records that checkouts can be shown with. */
export interface CheckoutExpand {
  former_id: client.Referenced<'former', Checkout>;
}

/** The operations of `/api/lending/checkout`. */
export const checkoutOperations = (requests: client.Requests) => {
  const path = '/api/lending/checkout';
  return {
    /** List checkouts, newest first. */
    ...client.lists<Checkout, CheckoutFilter, never, CheckoutExpand>(requests, path),

    /** Create a checkout. */
    create: client.create<Checkout, CheckoutCreate>(requests, path),

    /** Retrieve a checkout. */
    retrieve: client.retrieve<Checkout, CheckoutExpand>(requests, path),

    /** Update a checkout. */
    update: client.update<Checkout, CheckoutUpdate>(requests, path),

    /** Delete a checkout. */
    delete: client.remove(requests, path),

    /** Extend a checkout: status stays handed_out. */
    extend: client.changeWith<Checkout, CheckoutExtendInput>(requests, path, 'extend'),

    /** Reset a checkout: status stays reserved or handed_out. */
    reset: client.change<Checkout>(requests, path, 'reset'),

    /** Remind a checkout: status stays handed_out. */
    remind: client.change<Checkout>(requests, path, 'remind'),

    /** Return a checkout: status from handed_out to back. */
    return: client.change<Checkout>(requests, path, 'return'),
  };
};
