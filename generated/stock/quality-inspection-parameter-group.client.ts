// Generated from spec/stock/quality-inspection-parameter-group.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A heading that brings related quality inspection parameters together. */
export interface QualityInspectionParameterGroup {
  readonly id: string;
  group_name: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export type QualityInspectionParameterGroupCreate = client.Creatable<QualityInspectionParameterGroup, 'group_name'>;
export type QualityInspectionParameterGroupUpdate = client.Updatable<QualityInspectionParameterGroup>;

export type QualityInspectionParameterGroupSort = 'group_name';

/** The operations of `/api/stock/quality-inspection-parameter-group`. */
export const qualityInspectionParameterGroupOperations = (requests: client.Requests) => {
  const path = '/api/stock/quality-inspection-parameter-group';
  return {
    /** List quality inspection parameter groups, newest first. */
    ...client.searchedLists<QualityInspectionParameterGroup, client.RecordFilter, QualityInspectionParameterGroupSort>(
      requests,
      path,
    ),

    /** Create a quality inspection parameter group. */
    create: client.create<QualityInspectionParameterGroup, QualityInspectionParameterGroupCreate>(requests, path),

    /** Retrieve a quality inspection parameter group. */
    retrieve: client.retrieve<QualityInspectionParameterGroup>(requests, path),

    /** Update a quality inspection parameter group. */
    update: client.update<QualityInspectionParameterGroup, QualityInspectionParameterGroupUpdate>(requests, path),

    /** Delete a quality inspection parameter group. */
    delete: client.remove(requests, path),
  };
};
