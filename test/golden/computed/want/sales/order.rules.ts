// Generated from spec/sales/order.yaml. Edit the spec, then run `npm run generate`.
import { decimal, fitText, integer, logic, remainder } from '../../runtime/features/rules/expressions/index.ts';
import type { Order } from './order.client.ts';

export const orderLogic = logic<Order>({
  url: import.meta.url,
  name: 'orderLogic',
  totals: {
    'sum(order_line.amount)': { items: 'order_line', of: 'sum', field: 'amount' },
    'count(order_line)': { items: 'order_line', of: 'count' },
    'max(order_line.sent_on)': { items: 'order_line', of: 'max', field: 'sent_on' },
  },
  computed: {
    total: {
      expression: 'sum(order_line.amount)',
      compute: (_, totals) => decimal.fit(totals['sum(order_line.amount)'], 12, 2),
    },
    due: {
      expression: 'discount == null ? total : total - discount',
      compute: ({ discount, total }) =>
        decimal.fit(discount === null ? total : decimal.subtract(total, discount), 12, 2),
    },
    lines: {
      expression: 'count(order_line)',
      compute: (_, totals) => integer(totals['count(order_line)']),
    },
    last_sent_on: {
      expression: 'max(order_line.sent_on)',
      compute: (_, totals) => totals['max(order_line.sent_on)'],
    },
    is_paid: {
      expression: 'due <= 0',
      compute: ({ due }) => decimal.compare(due, '0') <= 0,
    },
    average: {
      expression: 'lines == 0 ? null : round(total / lines, 2)',
      compute: ({ lines, total }) => (lines === 0 ? null : decimal.fit(decimal.divide(total, String(lines), 2), 12, 2)),
    },
    days: {
      expression: 'delay == null ? null : delay % 7',
      compute: ({ delay }) => (delay === null ? null : integer(remainder(delay, 7))),
    },
    note: {
      expression: 'discount == null ? "no  discount" : null',
      compute: ({ discount }) => (discount === null ? fitText('no  discount', 80) : null),
    },
  },
});
