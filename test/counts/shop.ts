/** A spec whose lists are counted, by fields of every kind. */
export const shop: ReadonlyMap<string, string> = new Map([
  ['spec/service.yaml', '{ name: shop, title: Shop, doc: Sells things., version: 1.0.0, license: MIT }'],
  [
    'spec/shop/customer.yaml',
    `kind: record
doc: A customer.
list: { count: [city], search: [name] }
fields:
  name: { required: true, max_length: 100 }
  city: { max_length: 100 }
`,
  ],
  [
    'spec/shop/order.yaml',
    `kind: record
doc: An order of a customer.
archive: true
list:
  filter: [status, note, is_paid, priority, ordered_on, amount, weight]
  search: [note]
  count: [status, note, is_paid, priority, ordered_on, customer_id, contact]
  sum: [amount, weight, pieces]
fields:
  status: { enum: [open, { value: closed, renamed_from: done }, lost], default: open }
  note: { max_length: 100 }
  is_paid: boolean
  priority: integer
  ordered_on: { format: date }
  customer_id: { references: shop/customer, on_delete: cascade }
  contact: { format: email }
  amount: { type: decimal, digits: 18, scale: 2 }
  weight: number
  pieces: integer
`,
  ],
  [
    'spec/shop/item.yaml',
    `kind: line-item
doc: An item of an order.
parent: { field: order_id, resource: shop/order }
list: { filter: [unit], count: [unit], sum: [quantity] }
fields:
  order_id: { required: true }
  unit: { max_length: 20 }
  quantity: integer
`,
  ],
  [
    'spec/shop/part.yaml',
    `kind: line-item
doc: A part of a list that is kept elsewhere.
parent: { field: parts_list_id }
list: { filter: [unit], count: [parts_list_id, unit], sum: [quantity] }
fields:
  parts_list_id: { required: true }
  unit: { max_length: 20 }
  quantity: integer
`,
  ],
  [
    'spec/shop/remark.yaml',
    `kind: record
doc: A remark, of which none are counted.
fields: { text: }
`,
  ],
]);
