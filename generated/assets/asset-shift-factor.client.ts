// Generated from spec/assets/asset-shift-factor.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A work shift and the factor by which it weighs in the depreciation of an asset. */
export interface AssetShiftFactor {
  readonly id: string;
  shift_name: string;
  shift_factor: number;
  /** Whether this is the default shift factor. */
  default: boolean | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type AssetShiftFactorCreate = client.Creatable<AssetShiftFactor, 'shift_factor' | 'shift_name'>;
export type AssetShiftFactorUpdate = client.Updatable<AssetShiftFactor>;

/** The filters of lists of asset shift factors. */
export interface AssetShiftFactorFilter extends client.RecordFilter {
  default?: client.BooleanFilter;
}

export type AssetShiftFactorSort = 'shift_name' | 'shift_factor';

/** The operations of `/api/assets/asset-shift-factor`. */
export const assetShiftFactorOperations = (requests: client.Requests) => {
  const path = '/api/assets/asset-shift-factor';
  return {
    /** List asset shift factors, newest first. */
    ...client.searchedLists<AssetShiftFactor, AssetShiftFactorFilter, AssetShiftFactorSort>(requests, path),

    /** Create an asset shift factor. */
    create: client.create<AssetShiftFactor, AssetShiftFactorCreate>(requests, path),

    /** Retrieve an asset shift factor. */
    retrieve: client.retrieve<AssetShiftFactor>(requests, path),

    /** Update an asset shift factor. */
    update: client.update<AssetShiftFactor, AssetShiftFactorUpdate>(requests, path),

    /** Delete an asset shift factor. */
    delete: client.remove(requests, path),
  };
};
