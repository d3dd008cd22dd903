// Generated from spec/assets/asset-shift-factor.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { boolean, creatable, id, number, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A work shift and the factor by which it weighs in the depreciation of an asset. */
export const AssetShiftFactor = z.strictObject({
  id: id(),
  shift_name: text(),
  shift_factor: number(),
  /** Whether this is the default shift factor. */
  default: optional(boolean(), false),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type AssetShiftFactor = z.infer<typeof AssetShiftFactor>;

export const AssetShiftFactorCreate = creatable(AssetShiftFactor);
export const AssetShiftFactorUpdate = updatable(AssetShiftFactor);
export const assetShiftFactorTable = record('asset_shift_factor', AssetShiftFactor);
