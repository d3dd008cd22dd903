// Generated from spec/subcontracting/subcontracting-b-o-m.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { counted, creatable, field, listed, optional, query, record, updatable } from '../../runtime/index.ts';

/** A finished good that a subcontractor makes, tied to its bill of materials and to the service bought for it. */
export const SubcontractingBom = z.strictObject({
  id: field.id(),
  is_active: optional(field.boolean(), true),
  /** Item that the subcontractor makes. */
  finished_good: field.text(),
  finished_good_qty: optional(field.number(), 1),
  /** Bill of materials of the finished good. */
  finished_good_bom: field.text(),
  /** Item that stands for the work of the subcontractor. */
  service_item: field.text(),
  service_item_qty: optional(field.number(), 1),
  /** Unit of measure of the service item. */
  service_item_uom: field.text(),
  /** Relates the quantity of the service item to that of the finished good. */
  conversion_factor: optional(field.number()),
  /** Unit of measure of the finished good. */
  finished_good_uom: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type SubcontractingBom = z.infer<typeof SubcontractingBom>;

export const SubcontractingBomCreate = creatable(SubcontractingBom);
export const SubcontractingBomUpdate = updatable(SubcontractingBom);
export const SubcontractingBomQuery = query(SubcontractingBom, {
  filter: ['is_active', 'finished_good', 'service_item'],
  sort: ['finished_good'],
  search: ['finished_good', 'finished_good_bom', 'service_item'],
});
export const subcontractingBomTable = record(
  'subcontracting_bom',
  SubcontractingBom,
  { path: 'subcontracting/subcontracting-b-o-m', title: 'subcontracting BOM' },
  [listed(SubcontractingBomQuery), counted({ by: ['is_active'] })],
);
