// Generated from spec/crm/sales-stage.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, optional, query, record, updatable } from '../../runtime/index.ts';

/** A step on the way from a first contact to a closed sale. */
export const SalesStage = z.strictObject({
  id: field.id(),
  stage_name: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type SalesStage = z.infer<typeof SalesStage>;

export const SalesStageCreate = creatable(SalesStage);
export const SalesStageUpdate = updatable(SalesStage);
export const SalesStageQuery = query(SalesStage, {
  sort: ['stage_name'],
  search: ['stage_name'],
});
export const salesStageTable = record('sales_stage', SalesStage, { path: 'crm/sales-stage' }, [
  listed(SalesStageQuery),
]);
