// Generated from spec/crm/total.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { counted, field, listed, optional, query, record } from '../../runtime/index.ts';

/** An amount that is only summed. */
export const Total = z.strictObject({
  id: field.id(),
  amount: optional(field.integer()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Total = z.infer<typeof Total>;

export const TotalQuery = query(Total);
export const totalTable = record('total', Total, { path: 'crm/total', operations: ['list'] }, [
  listed(TotalQuery),
  counted({ sum: ['amount'] }),
]);
