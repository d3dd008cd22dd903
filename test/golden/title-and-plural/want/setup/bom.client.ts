// Generated from spec/setup/bom.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** What something is made of. */
export interface Bom {
  readonly id: string;
  name: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type BomCreate = client.Creatable<Bom>;
export type BomUpdate = client.Updatable<Bom>;

/** The operations of `/api/setup/bom`. */
export const bomOperations = (requests: client.Requests) => {
  const path = '/api/setup/bom';
  return {
    /** List BOMs, newest first. */
    ...client.lists<Bom, client.RecordFilter>(requests, path),

    /** Create a BOM. */
    create: client.create<Bom, BomCreate>(requests, path),

    /** Retrieve a BOM. */
    retrieve: client.retrieve<Bom>(requests, path),

    /** Update a BOM. */
    update: client.update<Bom, BomUpdate>(requests, path),

    /** Delete a BOM. */
    delete: client.remove(requests, path),
  };
};
