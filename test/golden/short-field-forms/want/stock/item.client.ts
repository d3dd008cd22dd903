// Generated from spec/stock/item.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** Something that can be sold. */
export interface Item {
  readonly id: string;
  name: string | null;
  count: number | null;
  price: number | null;
  is_new: boolean | null;
  colour: string | null;
  weight: number | null;
  shape: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type ItemCreate = client.Creatable<Item>;
export type ItemUpdate = client.Updatable<Item>;

/** The operations of `/api/stock/item`. */
export const itemOperations = (requests: client.Requests) => {
  const path = '/api/stock/item';
  return {
    /** List items, newest first. */
    ...client.lists<Item, client.RecordFilter>(requests, path),

    /** Create an item. */
    create: client.create<Item, ItemCreate>(requests, path),

    /** Retrieve an item. */
    retrieve: client.retrieve<Item>(requests, path),

    /** Update an item. */
    update: client.update<Item, ItemUpdate>(requests, path),

    /** Delete an item. */
    delete: client.remove(requests, path),
  };
};
