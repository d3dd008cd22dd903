// Generated from spec/kinds/promise.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, lineItem, listed, query, updatable } from '../../runtime/index.ts';

/** What somebody has promised to do. */
export const Promise = z.strictObject({
  id: field.id(),
  idx: field.position(),
  record_id: field.text(),
});
export type Promise = z.infer<typeof Promise>;

export const PromiseCreate = creatable(Promise);
export const PromiseUpdate = updatable(Promise);
export const PromiseQuery = query(Promise);
export const promiseTable = lineItem(
  'promise',
  Promise,
  { path: 'kinds/promise', parent: { field: 'record_id', table: 'record' } },
  [listed(PromiseQuery)],
);
