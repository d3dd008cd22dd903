// Generated from spec/sales/order.yaml. Edit the spec, then run `npm run generate`.
import { dayIn, decimal, logic } from '../../runtime/features/rules/expressions/index.ts';
import type { Order } from './order.client.ts';
import type { Customer } from '../crm/customer.client.ts';

export const orderLogic = logic<Order, { customer: Customer; payer_record: Customer; time: Order }>({
  url: import.meta.url,
  name: 'orderLogic',
  rules: [
    {
      that: 'customer.is_blocked == false',
      message: 'A blocked customer orders nothing.',
      field: 'customer_id',
      reads: { customer: ['is_blocked'] },
      isBroken: ({ customer }) => customer.is_blocked !== false,
    },
    {
      that: 'customer.limit == null || total <= customer.limit * 2',
      message: 'The order is within twice the limit of the customer.',
      reads: { customer: ['limit'] },
      isBroken: ({ total, customer }) =>
        !(customer.limit === null || decimal.compare(total, decimal.multiply(customer.limit, '2')) <= 0),
    },
    {
      that: 'payer_record.archived_at == null && payer_record.status != "lead"',
      when: 'payer_record != null',
      message: 'Somebody pays who is a customer.',
      reads: { payer_record: ['archived_at', 'status'] },
      isBroken: ({ payer, payer_record }) =>
        payer !== null && !(payer_record.archived_at === null && payer_record.status !== 'lead'),
    },
    {
      that: 'payer == null || !payer_record.is_blocked || customer.owner_id == payer',
      message: 'A blocked payer owns the customer.',
      reads: { payer_record: ['is_blocked'], customer: ['owner_id'] },
      isBroken: ({ payer, payer_record, customer }) =>
        !(payer === null || !payer_record.is_blocked || customer.owner_id === payer),
    },
    {
      that: 'country == null || customer.countries.exists(code, code == country)',
      message: 'The customer takes goods in this country.',
      reads: { customer: ['countries'] },
      isBroken: ({ country, customer }) => !(country === null || customer.countries.some((code) => code === country)),
    },
    {
      that: 'time_id == null || time.total == total && (time.country != null && time.country.startsWith("D") || total > 0)',
      message: 'A repeated order has the same total.',
      reads: { time: ['total', 'country'] },
      isBroken: ({ time_id, total, time: time_ }) =>
        !(
          time_id === null ||
          (decimal.equals(time_.total, total) &&
            ((time_.country !== null && time_.country.startsWith('D')) || decimal.compare(total, '0') > 0))
        ),
    },
    {
      that: 'payer_record == null ? true : payer_record.open_until == null || payer_record.open_until >= today()',
      message: 'The payer pays today.',
      reads: { payer_record: ['open_until'] },
      isBroken: ({ payer, payer_record }, time) =>
        payer === null ? !true : !(payer_record.open_until === null || payer_record.open_until >= dayIn('UTC', time)),
    },
  ],
  transitions: {
    send: [
      {
        that: 'customer.status == "active" && payer_record.limit != null',
        message: 'To send, this must hold: customer.status == "active" && payer_record.limit != null',
        reads: { customer: ['status'], payer_record: ['limit'] },
        isBroken: ({ customer, payer_record }) => !(customer.status === 'active' && payer_record.limit !== null),
      },
    ],
  },
});
