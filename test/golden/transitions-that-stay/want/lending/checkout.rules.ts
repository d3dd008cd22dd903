// Generated from spec/lending/checkout.yaml. Edit the spec, then run `npm run generate`.
import { dayIn, logic } from '../../runtime/features/rules/expressions/index.ts';
import type { Checkout } from './checkout.client.ts';

export const checkoutLogic = logic<Checkout>({
  url: import.meta.url,
  name: 'checkoutLogic',
  transitions: {
    extend: [
      {
        that: 'ends_on > today() && former_id == null',
        message: 'To extend, this must hold: ends_on > today() && former_id == null',
        isBroken: ({ ends_on, former_id }, time) => !(ends_on > dayIn('UTC', time) && former_id === null),
      },
    ],
  },
});
