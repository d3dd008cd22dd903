// Generated from spec/crm/call.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  creatable,
  field,
  listed,
  optional,
  query,
  record,
  refers,
  ruled,
  transition,
  updatable,
} from '../../runtime/index.ts';
import { callLogic } from './call.rules.ts';

/** A call. */
export const Call = z.strictObject({
  id: field.id(),
  party_id: refers(['lead', 'customer'], { onDelete: 'cascade' }),
  status: optional(field.oneOf(['open', 'done']), 'open'),
  about_id: optional(refers(['customer', 'call'], { onDelete: 'set_null' })),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Call = z.infer<typeof Call>;

/** The input of hand-over. */
export const CallHandOverInput = z.strictObject({
  to: refers('customer', { onDelete: 'cascade' }),
  about: optional(refers(['call', 'customer'], { onDelete: 'set_null' })),
});

export const CallCreate = creatable(Call);
export const CallUpdate = updatable(Call);
export const CallQuery = query(Call);
export const callTable = record('call', Call, { path: 'crm/call' }, [
  listed(CallQuery),
  ruled(callLogic),
  transition('hand-over', {
    field: 'status',
    from: ['open'],
    to: 'done',
    set: { party_id: { input: 'to' }, about_id: { input: 'about' } },
    input: CallHandOverInput,
  }),
]);
