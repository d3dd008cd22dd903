// Generated from spec/sales/customer.yaml. Edit the spec, then run `npm run generate`.
import { decimal, integer, logic } from '../../runtime/features/rules/expressions/index.ts';
import type { Customer } from './customer.client.ts';

export const customerLogic = logic<Customer>({
  url: import.meta.url,
  name: 'customerLogic',
  totals: {
    'sum(orders.total)': { items: 'order', by: 'customer_id', of: 'sum', field: 'total' },
    'count(orders)': { items: 'order', by: 'customer_id', of: 'count' },
    'count(orders,orders.status=="in delivery"||orders.status=="open")': {
      items: 'order',
      by: 'customer_id',
      of: 'count',
      when: [[{ field: 'status', is: '==', value: 'in delivery' }], [{ field: 'status', is: '==', value: 'open' }]],
    },
    'sum(orders.total,orders.is_paid==true&&!(orders.statusin["open","lost"]))': {
      items: 'order',
      by: 'customer_id',
      of: 'sum',
      field: 'total',
      when: [
        [
          { field: 'is_paid', is: '==', value: true },
          { field: 'status', is: '!=', value: 'open' },
          { field: 'status', is: '!=', value: 'lost' },
        ],
      ],
    },
    'min(orders.ordered_on)': { items: 'order', by: 'customer_id', of: 'min', field: 'ordered_on' },
    'count(orders,orders.total>=1000&&orders.ordered_on!=null&&orders.ordered_on>date("2026-01-01"))': {
      items: 'order',
      by: 'customer_id',
      of: 'count',
      when: [
        [
          { field: 'total', is: '>=', value: '1000.00' },
          { field: 'ordered_on', is: '!=', value: null },
          { field: 'ordered_on', is: '>', value: '2026-01-01' },
        ],
      ],
    },
    'count(gifts,-1.5<gifts.total&&gifts.note==null)': {
      items: 'order',
      by: 'giver_id',
      of: 'count',
      when: [
        [
          { field: 'total', is: '>', value: '-1.50' },
          { field: 'note', is: '==', value: null },
        ],
      ],
    },
    'count(order_line,order_line.pieces==10)': {
      items: 'order_line',
      of: 'count',
      when: [[{ field: 'pieces', is: '==', value: 10 }]],
    },
  },
  computed: {
    orders_total: {
      expression: 'sum(orders.total)',
      compute: (_, totals) => decimal.fit(totals['sum(orders.total)'], 14, 2),
    },
    order_count: {
      expression: 'count( orders )',
      compute: (_, totals) => integer(totals['count(orders)']),
    },
    open_count: {
      expression: 'count(orders, orders.status == "in delivery" || orders.status == "open")',
      compute: (_, totals) => integer(totals['count(orders,orders.status=="in delivery"||orders.status=="open")']),
    },
    paid: {
      expression: 'sum(orders.total, orders.is_paid == true && !(orders.status in ["open", "lost"]))',
      compute: (_, totals) =>
        decimal.fit(totals['sum(orders.total,orders.is_paid==true&&!(orders.statusin["open","lost"]))'], 14, 2),
    },
    balance: {
      expression: 'sum(orders.total) - paid',
      compute: ({ paid }, totals) => decimal.fit(decimal.subtract(totals['sum(orders.total)'], paid), 15, 2),
    },
    first_on: {
      expression: 'min(orders.ordered_on)',
      compute: (_, totals) => totals['min(orders.ordered_on)'],
    },
    large: {
      expression:
        'count(orders, orders.total >= 1000 && orders.ordered_on != null && orders.ordered_on > date("2026-01-01"))',
      compute: (_, totals) =>
        integer(
          totals['count(orders,orders.total>=1000&&orders.ordered_on!=null&&orders.ordered_on>date("2026-01-01"))'],
        ),
    },
    gift_count: {
      expression: 'count(gifts, -1.5 < gifts.total && gifts.note == null)',
      compute: (_, totals) => integer(totals['count(gifts,-1.5<gifts.total&&gifts.note==null)']),
    },
    tens: {
      expression: 'count(order_line, order_line.pieces == 10)',
      compute: (_, totals) => integer(totals['count(order_line,order_line.pieces==10)']),
    },
  },
  rules: [
    {
      that: 'limit == null || balance <= limit',
      message: 'The customer owes too much.',
      field: 'limit',
      isOverTotals: true,
      isBroken: ({ limit, balance }) => !(limit === null || decimal.compare(balance, limit) <= 0),
    },
  ],
});
