/** A spec whose orders copy from customers and settings, their items from settings, and invoices from orders. */
export const rental: ReadonlyMap<string, string> = new Map([
  // Helpers of the tests open databases of this name.
  ['spec/service.yaml', '{ name: workshop, title: Rental, doc: Lends tools., version: 1.0.0, license: MIT }'],
  [
    'spec/setup/rental-settings.yaml',
    `kind: singleton
doc: The settings.
fields:
  tax_rate: { type: decimal, digits: 4, scale: 3, default: '0.19' }
  revision: { type: integer, default: 0 }
  terms: { max_length: 60000 }
  notes: { max_length: 1000000 }
`,
  ],
  [
    'spec/crm/customer.yaml',
    `kind: record
doc: A customer.
fields:
  name: { required: true, max_length: 100 }
  currency: { enum: [{ value: EUR, renamed_from: DM }, USD, GBP] }
  tags: { type: list, of: { max_length: 20 } }
  layout: { type: json, max_bytes: 100 }
  agent: { max_length: 20 }
  is_exempt: { type: boolean, default: false, nullable: false }
`,
  ],
  [
    'spec/rental/order.yaml',
    `kind: record
doc: What a customer rents.
list: { filter: [currency], search: [terms] }
unique: [[number, currency]]
fields:
  customer_id: { references: crm/customer, on_delete: set_null }
  number: integer
  currency: { enum: [EUR, USD, GBP, CHF], required: true, default_from: customer.currency }
  tax_rate: { type: decimal, digits: 6, scale: 3, default_from: setup/rental-settings.tax_rate }
  revision: { type: integer, default_from: setup/rental-settings.revision, read_only: true }
  tags: { type: list, of: { max_length: 20 }, default_from: customer.tags }
  agent: { max_length: 20, default_from: customer.agent }
  is_exempt: { type: boolean, default_from: customer.is_exempt }
  terms: { max_length: 60000, default_from: setup/rental-settings.terms }
  notes: { max_length: 1000000, default_from: setup/rental-settings.notes }
  layout: { type: json, max_bytes: 200, default_from: customer.layout }
  net: { type: decimal, digits: 9, scale: 2, nullable: false, computed: sum(order_line.amount) }
  percent: { type: decimal, digits: 6, scale: 1, computed: 'tax_rate == null ? null : round(tax_rate * 100, 1)' }
rules:
  - { that: currency != "GBP" || agent != null, message: Pounds need an agent., field: agent }
`,
  ],
  [
    'spec/rental/order-line.yaml',
    `kind: line-item
doc: A line of an order.
parent: { field: order_id, resource: rental/order }
fields:
  order_id: { required: true }
  amount: { type: decimal, digits: 8, scale: 2, required: true }
  tax_rate: { type: decimal, digits: 4, scale: 3, required: true, default_from: setup/rental-settings.tax_rate }
`,
  ],
  [
    'spec/rental/invoice.yaml',
    `kind: record
doc: What an order costs.
fields:
  order_id: { references: rental/order, required: true }
  amount: { type: decimal, digits: 9, scale: 2, required: true, default_from: order.net }
`,
  ],
]);
