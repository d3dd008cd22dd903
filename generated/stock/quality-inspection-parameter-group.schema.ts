// Generated from spec/stock/quality-inspection-parameter-group.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, query, record, updatable } from '../../runtime/index.ts';

/** A heading that brings related quality inspection parameters together. */
export const QualityInspectionParameterGroup = z.strictObject({
  id: field.id(),
  group_name: field.text(),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type QualityInspectionParameterGroup = z.infer<typeof QualityInspectionParameterGroup>;

export const QualityInspectionParameterGroupCreate = creatable(QualityInspectionParameterGroup);
export const QualityInspectionParameterGroupUpdate = updatable(QualityInspectionParameterGroup);
export const QualityInspectionParameterGroupQuery = query(QualityInspectionParameterGroup, {
  sort: ['group_name'],
  search: ['group_name'],
});
export const qualityInspectionParameterGroupTable = record(
  'quality_inspection_parameter_group',
  QualityInspectionParameterGroup,
  { path: 'stock/quality-inspection-parameter-group' },
  [listed(QualityInspectionParameterGroupQuery)],
);
