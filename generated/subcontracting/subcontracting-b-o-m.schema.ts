// Generated from spec/subcontracting/subcontracting-b-o-m.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { boolean, creatable, id, number, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A finished good that a subcontractor makes, tied to its bill of materials and to the service bought for it. */
export const SubcontractingBom = z.strictObject({
  id: id(),
  is_active: optional(boolean(), true),
  /** Item that the subcontractor makes. */
  finished_good: text(),
  finished_good_qty: optional(number(), 1),
  /** Bill of materials of the finished good. */
  finished_good_bom: text(),
  /** Item that stands for the work of the subcontractor. */
  service_item: text(),
  service_item_qty: optional(number(), 1),
  /** Unit of measure of the service item. */
  service_item_uom: text(),
  /** Relates the quantity of the service item to that of the finished good. */
  conversion_factor: optional(number()),
  /** Unit of measure of the finished good. */
  finished_good_uom: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type SubcontractingBom = z.infer<typeof SubcontractingBom>;

export const SubcontractingBomCreate = creatable(SubcontractingBom);
export const SubcontractingBomUpdate = updatable(SubcontractingBom);
export const subcontractingBomTable = record('subcontracting_bom', SubcontractingBom, {
  title: 'subcontracting BOM',
});
