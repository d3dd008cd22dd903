/** A spec whose customers and orders can be archived. */
export const shop: ReadonlyMap<string, string> = new Map([
  ['spec/service.yaml', '{ name: shop, title: Shop, doc: Sells things., version: 1.0.0, license: MIT }'],
  [
    'spec/shop/customer.yaml',
    `kind: record
doc: A customer.
list: { filter: [city, status], sort: [name], search: [name] }
fields:
  name: { required: true, max_length: 100 }
  email: { unique: true, max_length: 100 }
  city: { max_length: 100 }
  status: { enum: [active, blocked], default: active, nullable: false }
  total: { type: integer, nullable: false, computed: sum(address.rooms) }
transitions:
  block: { from: active, to: blocked }
  unblock: { from: blocked, to: active }
locked_in: [blocked]
states: closed
archive: true
`,
  ],
  [
    'spec/shop/address.yaml',
    `kind: line-item
doc: An address of a customer.
parent: { field: customer_id, resource: shop/customer }
fields:
  customer_id: { required: true }
  street: { max_length: 100 }
  rooms: { type: integer, default: 1, nullable: false }
`,
  ],
  [
    'spec/shop/order.yaml',
    `kind: record
doc: An order of a customer.
archive: true
fields:
  customer_id: { references: shop/customer, on_delete: cascade, inverse: orders }
  adviser_id: { references: shop/customer, on_delete: set_null }
`,
  ],
]);
