// Generated from spec/sales/order-line.yaml. Edit the spec, then run `npm run generate`.
import { decimal, logic } from '../../runtime/features/rules/expressions/index.ts';
import type { OrderLine } from './order-line.client.ts';

export const orderLineLogic = logic<OrderLine>({
  url: import.meta.url,
  name: 'orderLineLogic',
  computed: {
    amount: {
      expression: 'price * quantity',
      compute: ({ price, quantity }) => decimal.fit(decimal.multiply(price, String(quantity)), 12, 2),
    },
  },
});
