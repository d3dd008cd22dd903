// Generated from spec/sales/order.yaml. Edit the spec, then run `npm run generate`.
import { decimal, logic, size } from '../../runtime/features/rules/expressions/index.ts';
import type { Order } from './order.client.ts';

export const orderLogic = logic<Order>({
  url: import.meta.url,
  name: 'orderLogic',
  transitions: {
    send: [
      {
        that: 'size(tags) == 0',
        message: 'To send, this must hold: size(tags) == 0',
        isBroken: ({ tags }) => tags.length !== 0,
      },
    ],
    cancel: [
      {
        that: 'size(reason) > 3 && refund >= 0',
        message: 'A reason has more than three letters.',
        field: 'reason',
        isBroken: ({ reason, refund }) => !(size(reason) > 3 && decimal.compare(refund, '0') >= 0),
      },
    ],
  },
});
