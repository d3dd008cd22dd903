// Generated from spec/stock/item.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** Something that can be bought and sold. */
export interface Item {
  readonly id: string;
  name: string;
  code: string;
  sku: string | null;
  note: string | null;
  colour: 'red' | 'green' | 'blue' | null;
  shape: 'round' | 'square';
  made_on: string | null;
  sold_on: string;
  seen_at: string | null;
  sold_at: string;
  count: number | null;
  rooms: number;
  floor: number | null;
  weight: number | null;
  price: number;
  discount: number | null;
  huge: number | null;
  is_new: boolean | null;
  is_sold: boolean;
  is_kept: boolean | null;
  settings: client.Json | null;
  /** How it is shown. */
  layout: client.Json | null;
  tags: string[] | null;
  sizes: number[];
  marks: ('new' | 'used')[];
  codes: string[] | null;
  /** Its number in the shop. */
  readonly number: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export type ItemCreate = client.Creatable<
  Item,
  'code' | 'is_sold' | 'layout' | 'name' | 'price' | 'rooms' | 'shape' | 'sizes' | 'sold_at' | 'sold_on',
  'number'
>;
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
