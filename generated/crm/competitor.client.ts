// Generated from spec/crm/competitor.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A company that vies for the same customers. */
export interface Competitor {
  readonly id: string;
  competitor_name: string;
  website: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type CompetitorCreate = client.Creatable<Competitor, 'competitor_name'>;
export type CompetitorUpdate = client.Updatable<Competitor>;

export type CompetitorSort = 'competitor_name';

/** The operations of `/api/crm/competitor`. */
export const competitorOperations = (requests: client.Requests) => {
  const path = '/api/crm/competitor';
  return {
    /** List competitors, newest first. */
    ...client.searchedLists<Competitor, client.RecordFilter, CompetitorSort>(requests, path),

    /** Create a competitor. */
    create: client.create<Competitor, CompetitorCreate>(requests, path),

    /** Retrieve a competitor. */
    retrieve: client.retrieve<Competitor>(requests, path),

    /** Update a competitor. */
    update: client.update<Competitor, CompetitorUpdate>(requests, path),

    /** Delete a competitor. */
    delete: client.remove(requests, path),
  };
};
