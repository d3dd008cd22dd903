// Generated from spec/crm/sales-stage.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A step on the way from a first contact to a closed sale. */
export interface SalesStage {
  readonly id: string;
  stage_name: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type SalesStageCreate = client.Creatable<SalesStage>;
export type SalesStageUpdate = client.Updatable<SalesStage>;

export type SalesStageSort = 'stage_name';

/** The operations of `/api/crm/sales-stage`. */
export const salesStageOperations = (requests: client.Requests) => {
  const path = '/api/crm/sales-stage';
  return {
    /** List sales stages, newest first. */
    ...client.searchedLists<SalesStage, client.RecordFilter, SalesStageSort>(requests, path),

    /** Create a sales stage. */
    create: client.create<SalesStage, SalesStageCreate>(requests, path),

    /** Retrieve a sales stage. */
    retrieve: client.retrieve<SalesStage>(requests, path),

    /** Update a sales stage. */
    update: client.update<SalesStage, SalesStageUpdate>(requests, path),

    /** Delete a sales stage. */
    delete: client.remove(requests, path),
  };
};
