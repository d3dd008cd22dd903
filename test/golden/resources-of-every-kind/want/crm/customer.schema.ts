// Generated from spec/crm/customer.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, optional, query, record, unique, updatable } from '../../runtime/index.ts';

/** A customer. */
export const Customer = z.strictObject({
  id: field.id(),
  number: optional(field.integer()),
  company: optional(field.text({ max: 100 })),
  code: optional(field.text({ max: 20 })),
  email: field.email(),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Customer = z.infer<typeof Customer>;

export const CustomerCreate = creatable(Customer);
export const CustomerUpdate = updatable(Customer);
export const CustomerQuery = query(Customer);
export const customerTable = record('customer', Customer, { path: 'crm/customer' }, [
  listed(CustomerQuery),
  unique('number'),
  unique(['company', 'code']),
  unique('email', { ignoreCase: true }),
]);
