// Generated from spec/subcontracting/subcontracting-b-o-m.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A finished good that a subcontractor makes, tied to its bill of materials and to the service bought for it. */
export interface SubcontractingBom {
  readonly id: string;
  is_active: boolean | null;
  /** Item that the subcontractor makes. */
  finished_good: string;
  finished_good_qty: number | null;
  /** Bill of materials of the finished good. */
  finished_good_bom: string;
  /** Item that stands for the work of the subcontractor. */
  service_item: string;
  service_item_qty: number | null;
  /** Unit of measure of the service item. */
  service_item_uom: string;
  /** Relates the quantity of the service item to that of the finished good. */
  conversion_factor: number | null;
  /** Unit of measure of the finished good. */
  finished_good_uom: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type SubcontractingBomCreate = client.Creatable<
  SubcontractingBom,
  'finished_good' | 'finished_good_bom' | 'service_item' | 'service_item_uom'
>;
export type SubcontractingBomUpdate = client.Updatable<SubcontractingBom>;

/** The filters of lists of subcontracting BOMs. */
export interface SubcontractingBomFilter extends client.RecordFilter {
  is_active?: client.BooleanFilter;
  finished_good?: client.TextFilter;
  service_item?: client.TextFilter;
}

export type SubcontractingBomSort = 'finished_good';

/** The operations of `/api/subcontracting/subcontracting-b-o-m`. */
export const subcontractingBomOperations = (requests: client.Requests) => {
  const path = '/api/subcontracting/subcontracting-b-o-m';
  return {
    /** List subcontracting BOMs, newest first. */
    ...client.searchedLists<SubcontractingBom, SubcontractingBomFilter, SubcontractingBomSort>(requests, path),

    /** Create a subcontracting BOM. */
    create: client.create<SubcontractingBom, SubcontractingBomCreate>(requests, path),

    /** Retrieve a subcontracting BOM. */
    retrieve: client.retrieve<SubcontractingBom>(requests, path),

    /** Update a subcontracting BOM. */
    update: client.update<SubcontractingBom, SubcontractingBomUpdate>(requests, path),

    /** Delete a subcontracting BOM. */
    delete: client.remove(requests, path),

    /** Count subcontracting BOMs. */
    count: client.counts<SubcontractingBom, SubcontractingBomFilter, 'is_active', never, string>(requests, path),
  };
};
