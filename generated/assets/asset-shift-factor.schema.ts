// Generated from spec/assets/asset-shift-factor.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, optional, query, record, updatable } from '../../runtime/index.ts';

/** A work shift and the factor by which it weighs in the depreciation of an asset. */
export const AssetShiftFactor = z.strictObject({
  id: field.id(),
  shift_name: field.text(),
  shift_factor: field.number(),
  /** Whether this is the default shift factor. */
  default: optional(field.boolean(), false),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type AssetShiftFactor = z.infer<typeof AssetShiftFactor>;

export const AssetShiftFactorCreate = creatable(AssetShiftFactor);
export const AssetShiftFactorUpdate = updatable(AssetShiftFactor);
export const AssetShiftFactorQuery = query(AssetShiftFactor, {
  filter: ['default'],
  sort: ['shift_name', 'shift_factor'],
  search: ['shift_name'],
});
export const assetShiftFactorTable = record(
  'asset_shift_factor',
  AssetShiftFactor,
  { path: 'assets/asset-shift-factor' },
  [listed(AssetShiftFactorQuery)],
);
