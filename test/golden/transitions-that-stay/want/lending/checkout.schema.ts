// Generated from spec/lending/checkout.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  creatable,
  defaulted,
  field,
  listed,
  optional,
  query,
  readOnly,
  record,
  refers,
  ruled,
  transition,
  updatable,
} from '../../runtime/index.ts';
import { checkoutLogic } from './checkout.rules.ts';

/** Something that a person has borrowed. */
export const Checkout = z.strictObject({
  id: field.id(),
  status: defaulted(field.oneOf(['reserved', 'handed_out', 'back']), 'reserved'),
  ends_on: readOnly(optional(field.date())),
  extensions: optional(field.integer({ min: 0 }), 0),
  fee: optional(field.decimal({ digits: 6, scale: 2 })),
  is_checked: optional(field.boolean(), false),
  tags: optional(field.list(field.text({ max: 20 }))),
  word: optional(field.text({ max: 20 })),
  colour: optional(field.oneOf(['now', 'later'])),
  reminded_at: optional(field.dateTime()),
  former_id: optional(refers('checkout', { onDelete: 'restrict' })),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Checkout = z.infer<typeof Checkout>;

/** The input of extend. */
export const CheckoutExtendInput = z.strictObject({
  until: field.date(),
});

export const CheckoutCreate = creatable(Checkout);
export const CheckoutUpdate = updatable(Checkout);
export const CheckoutQuery = query(Checkout);
export const checkoutTable = record('checkout', Checkout, { path: 'lending/checkout' }, [
  listed(CheckoutQuery),
  ruled(checkoutLogic),
  transition('extend', {
    field: 'status',
    from: ['handed_out'],
    set: { ends_on: { input: 'until' }, former_id: { value: null } },
    input: CheckoutExtendInput,
  }),
  transition('reset', {
    field: 'status',
    from: ['reserved', 'handed_out'],
    set: {
      extensions: { value: 0 },
      fee: { value: '1.50' },
      is_checked: { value: true },
      tags: { value: ['a', 'input.b'] },
      word: { value: 'input.until' },
      colour: { value: 'now' },
      reminded_at: { value: '2026-01-31T11:30:00.000Z' },
    },
  }),
  transition('remind', { field: 'status', from: ['handed_out'], requires: ['ends_on'] }),
  transition('return', {
    field: 'status',
    from: ['handed_out'],
    to: 'back',
    set: { word: { value: 'Returned' }, reminded_at: { value: null } },
  }),
]);
