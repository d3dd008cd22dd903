import type { Edit } from './edit.ts';

const order =
  'fields: { customer_id: { references: ~/customer, inverse: orders }, amount: integer, status: { enum: [open, paid], default: open } }';
const customer = (total = ''): string => `fields: { name${total && `, ${total}`} }`;
const line =
  'kind: line-item | parent: { field: order_id, resource: ~/bill } | fields: { order_id: { required: true }, amount: integer, kind_of: { enum: [work, part], default: work, nullable: false } }';
const rows = `a = customer { name: A }
  b = customer { name: B }
  o = order { customer_id: $a, amount: 3 }
  p = order { customer_id: $a, amount: 4, status: paid }
  q = order { amount: 9 }`;
const sum = 'total: { type: integer, computed: sum(orders.amount) }';

/** Edits of computed fields, and of totals over line items and inverses. */
export const totalEdits: readonly Edit[] = [
  {
    edit: 'totals over an inverse come',
    before: { customer: customer(), order },
    after: {
      customer: customer(`${sum}, count: { type: integer, computed: count(orders) }`) + ' | list: { sort: [total] }',
    },
    changes: 'customer/list/sort/total/added, customer/total/added, customer/count/added',
    rows,
    next: `a => { total: 7, count: 2 }
      b => { total: 0, count: 0 }
      customer?sort=-total => [a, b]
      o: { customer_id: $b, amount: 5 }
      customer?sort=-total => [b, a]
      o.undo => { amount: 3 }
      a => { total: 7, count: 2 }
      p.delete => { deleted: true }
      a => { total: 3, count: 1 }`,
  },
  {
    edit: 'a total gets a condition',
    before: { customer: customer(sum), order },
    after: { customer: customer(`total: { type: integer, computed: 'sum(orders.amount, orders.status == "paid")' }`) },
    changes: '!customer/total/computed/changed',
    changed: ['total'],
    rows,
    next: `a => { total: 4 }
      o: { status: paid }
      a => { total: 7 }
      o.undo
      a => { total: 4 }`,
  },
  {
    edit: 'a total is no longer computed, and keeps its value',
    before: { customer: customer(sum), order },
    after: { customer: customer('total: integer') },
    changes: '!customer/total/nullable/added, customer/total/read_only/removed, customer/total/computed/removed',
    rows,
    next: `a => { total: 7 }
      o: { amount: 5 }
      a: { total: 8 } => { total: 8 }`,
  },
  {
    edit: 'a field that clients have set is computed from now on',
    before: { customer: customer('total: integer'), order },
    after: { customer: customer(sum) },
    changes: '!customer/total/nullable/removed, !customer/total/read_only/added, !customer/total/computed/added',
    changed: ['total'],
    rows: `a = customer { name: A, total: 99 }
      o = order { customer_id: $a, amount: 3 }
      a: { total: 98, name: B }`,
    next: `a => { total: 3 }
      a.undo => { name: A, total: 3 }
      a: { total: 98 } => 422 invalid_body`,
  },
  {
    edit: 'an inverse gets another name, and the total over it',
    before: { customer: customer(sum), order },
    after: {
      customer: customer(sum.replace('orders', 'sales')),
      order: order.replace('orders', 'sales'),
    },
    changes: '!customer/total/computed/changed, !order/customer_id/inverse/changed',
    rows,
    next: `a => { total: 7 }
      o: { amount: 5 }
      a => { total: 9 }
      customer?expand=orders => 400 invalid_query
      customer?expand=sales => [b, a]`,
  },
  {
    edit: 'an inverse goes with its total',
    before: { customer: customer(sum), order },
    after: { customer: customer(), order: order.replace(', inverse: orders', '') },
    changes: '!customer/total/removed, !order/customer_id/inverse/removed',
    rows,
    next: `o: { customer_id: $b }
      order?customer_id=$b => [o]
      a.delete => 409 still_referenced`,
  },
  {
    edit: 'the reference that a total follows is renamed',
    before: { customer: customer(sum), order },
    after: { order: order.replace('customer_id: {', 'client_id: { renamed_from: customer_id,') },
    changes: '!order/list/filter/customer_id/renamed, !order/customer_id/renamed',
    stops: true,
    rows: `${rows}
      o: { customer_id: $b }`,
    next: `a => { total: 4 }
      order?client_id=$b => [o]
      o: { client_id: $a }
      a => { total: 7 }
      o.undo 2 => 409 changed_since
      o.undo 3 => { client_id: $b }
      o.undo 2 => { client_id: $a }`,
  },
  {
    edit: 'the field that a total adds up is renamed',
    before: { customer: customer(sum), order },
    after: {
      customer: customer(sum.replace('amount', 'price')),
      order: order.replace('amount: integer', 'price: { type: integer, renamed_from: amount }'),
    },
    changes: '!customer/total/computed/changed, !order/amount/renamed',
    stops: true,
    rows,
    next: `a => { total: 7 }
      o => { price: 3 }
      o: { price: 5 }
      a => { total: 9 }`,
  },
  {
    edit: 'a computed integer becomes a decimal',
    before: {
      bill: 'fields: { amount: integer, twice: { type: integer, computed: "amount == null ? null : amount * 2" } }',
    },
    after: {
      bill: 'fields: { amount: integer, twice: { type: decimal, digits: 9, scale: 2, computed: "amount == null ? null : amount * 2" } }',
    },
    changes: '!bill/twice/type/changed',
    blocked: ['Column "twice" of table "bill_N" is bigint', 'Give the field a new name', '--convert bill_N.twice'],
    rows: 'a = bill { amount: 3 }',
    next: `a => { twice: 6 }
      a: { amount: 5 } => { twice: 10 }
      a.undo => { twice: 6 }`,
  },
  {
    edit: 'the smallest and the largest of dates come',
    before: { customer: customer(), order: order.replace('amount: integer', 'day: { format: date }') },
    after: {
      customer: customer(
        'first: { format: date, computed: min(orders.day) }, last: { format: date, computed: max(orders.day) }',
      ),
    },
    changes: 'customer/first/added, customer/last/added',
    rows: `a = customer { name: A }
      b = customer { name: B }
      o = order { customer_id: $a, day: 2026-01-02 }
      p = order { customer_id: $a, day: 2026-03-04 }
      q = order { customer_id: $b }`,
    next: `a => { first: 2026-01-02, last: 2026-03-04 }
      b => { first: null, last: null }
      p.delete
      a => { first: 2026-01-02, last: 2026-01-02 }
      p.undo => { day: 2026-03-04 }
      a => { last: 2026-03-04 }`,
  },
  {
    edit: 'a total over some line items comes',
    before: { bill: 'fields: { name }', line },
    after: {
      bill: `fields: { name, work: { type: integer, computed: 'sum(line.amount, line.kind_of == "work")' }, lines: { type: integer, computed: count(line) } }`,
    },
    changes: 'bill/work/added, bill/lines/added',
    rows: `a = bill { name: A }
      l = line { order_id: $a, amount: 3 }
      m = line { order_id: $a, amount: 4, kind_of: part }
      l: { amount: 2 }`,
    next: `a => { work: 2, lines: 2 }
      m: { kind_of: work }
      a => { work: 6, lines: 2 }
      l.undo => { amount: 3 }
      a => { work: 7 }
      l.delete
      a => { work: 4, lines: 1 }`,
  },
  {
    edit: 'the field of line items that a total adds up is computed otherwise',
    before: {
      bill: 'fields: { name, total: { type: integer, computed: sum(line.amount) } }',
      line: line.replace(
        'amount: integer',
        `count: { type: integer, default: 1, nullable: false }, amount: { type: integer, nullable: false, computed: count * 2 }`,
      ),
    },
    after: {
      line: line.replace(
        'amount: integer',
        `count: { type: integer, default: 1, nullable: false }, amount: { type: integer, nullable: false, computed: count * 3 }`,
      ),
    },
    changes: '!line/amount/computed/changed',
    changed: ['total'],
    rows: `a = bill { name: A }
      l = line { order_id: $a, count: 5 }
      a => { total: 10 }`,
    next: `a => { total: 15 }
      l: { count: 6 } => { amount: 18 }
      a => { total: 18 }`,
  },
  {
    edit: 'a field that follows from a total comes, with a rule about it',
    before: { customer: customer(sum), order },
    after: {
      customer:
        customer(
          `${sum}, paid: { type: integer, default: 0, nullable: false }, due: { type: integer, nullable: false, computed: total - paid }`,
        ) + ' | rules: [{ that: due <= 8, message: Too much. }]',
    },
    changes: 'customer/paid/added, customer/due/added, !customer/rules/too-much/added',
    rows: `${rows}
      r = order { customer_id: $b, amount: 50 }`,
    next: `a => { due: 7 }
      b => { due: 50 }
      o: { amount: 5 } => 422 rule_violated
      b: { name: C } => 422 rule_violated
      b: { paid: 45 } => { due: 5 }
      r.undo => { deleted: true }
      b => { total: 0, due: -45 }`,
  },
  {
    edit: 'a value that a total compares with is renamed',
    before: {
      customer: customer(`total: { type: integer, computed: 'sum(orders.amount, orders.status == "paid")' }`),
      order,
    },
    after: {
      customer: customer(`total: { type: integer, computed: 'sum(orders.amount, orders.status == "settled")' }`),
      order: order.replace('[open, paid]', '[open, { value: settled, renamed_from: paid }]'),
    },
    changes: '!customer/total/computed/changed, !order/status/enum/paid/renamed',
    changed: ['status'],
    rows: `${rows}
      o: { status: paid }
      a => { total: 7 }`,
    next: `a => { total: 7 }
      o => { status: settled }
      o.undo => { status: open }
      a => { total: 4 }
      o.undo => { status: settled }
      a => { total: 7 }`,
  },
  {
    edit: 'a computed field is no longer one, and an event has changed it',
    before: {
      bill: 'fields: { amount: integer, twice: { type: integer, computed: "amount == null ? null : amount * 2" } }',
    },
    after: { bill: 'fields: { amount: integer, twice: integer }' },
    changes: 'bill/twice/read_only/removed, bill/twice/computed/removed',
    rows: `a = bill { amount: 3 }
      a: { amount: 5 }`,
    next: `a => { amount: 5, twice: 10 }
      a.undo => { amount: 3, twice: 6 }`,
  },
  {
    edit: 'a computed field is renamed, with what follows from it',
    before: {
      bill: 'fields: { amount: { type: integer, required: true }, twice: { type: integer, nullable: false, computed: amount * 2 }, more: { type: integer, nullable: false, computed: twice + 1 } } | list: { sort: [twice] }',
    },
    after: {
      bill: 'fields: { amount: { type: integer, required: true }, double: { type: integer, nullable: false, computed: amount * 2, renamed_from: twice }, more: { type: integer, nullable: false, computed: double + 1 } } | list: { sort: [double] }',
    },
    changes: '!bill/list/sort/twice/renamed, !bill/twice/renamed, !bill/more/computed/changed',
    stops: true,
    rows: `a = bill { amount: 3 }
      b = bill { amount: 2 }
      a: { amount: 5 }`,
    next: `a => { double: 10, more: 11 }
      bill?sort=double => [b, a]
      a.undo => { amount: 3, double: 6, more: 7 }`,
  },
  {
    edit: 'a computed field cannot hold the value of a row',
    before: { order: 'fields: { amount: { type: decimal, digits: 6, scale: 2, required: true } }' },
    after: {
      order: `fields: { amount: { type: decimal, digits: 6, scale: 2, required: true }, double: { type: decimal, digits: 4, scale: 2, nullable: false, computed: amount * 2 } }`,
    },
    changes: 'order/double/added',
    refused: ['double', '1 row of order_N: order_N_'],
    rows: `a = order { amount: "70.00" }
      b = order { amount: "1.50" }`,
    mended: 'a: { amount: "7.00" }',
    next: `a => { double: "14.00" }
      b => { double: "3.00" }
      a.undo => 422 rule_violated`,
  },
  {
    edit: 'a total cannot hold the sum of the rows',
    before: {
      customer: customer(),
      order: order.replace('amount: integer', 'amount: { type: decimal, digits: 4, scale: 2 }'),
    },
    after: { customer: customer('total: { type: decimal, digits: 4, scale: 2, computed: sum(orders.amount) }') },
    changes: 'customer/total/added',
    refused: ['total', '1 row of customer_N: customer_N_'],
    isLate: true,
    rows: `a = customer { name: A }
      o = order { customer_id: $a, amount: "60" }
      p = order { customer_id: $a, amount: "61.50" }`,
    mended: 'p: { amount: "6.15" }',
    next: `a => { total: "66.15" }
      p: { amount: "61.50" } => 422 rule_violated
      p: { amount: "7.00" }
      a => { total: "67.00" }
      p.undo 2 => 409 changed_since
      q = order { customer_id: $a, amount: "33.00" } => 422 rule_violated`,
  },
  {
    edit: 'an archive comes with a total that leaves archived records out',
    before: { customer: customer(sum), order },
    after: {
      customer: customer(`total: { type: integer, computed: 'sum(orders.amount, orders.archived_at == null)' }`),
      order: `${order} | archive: true`,
    },
    changes:
      '!customer/total/computed/changed, order/operations/archive/added, order/operations/unarchive/added, order/list/filter/archived_at/added, order/archived_at/added, order/archive/added',
    rows: `${rows}
      o: { amount: 5 }`,
    next: `a => { total: 9 }
      o.archive
      a => { total: 4 }
      order? => [q, p]
      order?archived=any&sort=created_at => [o, p, q]
      o.undo 2 => 409 locked
      o.unarchive
      o.undo 2 => { amount: 3 }
      a => { total: 7 }`,
  },
];
