// Generated from spec/assets/machine.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A machine that was sold and is looked after. It is never deleted. */
export interface Machine {
  readonly id: string;
  serial_number: string;
  model: string;
  /** Null if unknown. */
  location: string | null;
  condition: 'new' | 'used' | 'scrapped' | null;
  power: 'mains' | 'battery' | 'hand';
  built_on: string | null;
  warranty_ends_on: string | null;
  serviced_at: string | null;
  alarm_at: string | null;
  part_id: string | null;
  support_email: string | null;
  manual: string | null;
  hours: number | null;
  weight: number | null;
  tolerance: number | null;
  is_leased: boolean;
  is_insured: boolean | null;
  region: string | null;
  /** Filled in by the inspection. */
  readonly inspected_by: string | null;
  readonly risk: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type MachineCreate = client.Creatable<
  Machine,
  'is_leased' | 'location' | 'model' | 'power' | 'serial_number',
  'inspected_by' | 'risk'
>;
export type MachineUpdate = client.Updatable<Machine>;

/** The filters of lists of machines. */
export interface MachineFilter extends client.RecordFilter {
  serial_number?: client.TextFilter;
  condition?: client.TextFilter<Machine['condition']>;
  built_on?: client.DateFilter;
  serviced_at?: client.DateFilter;
  alarm_at?: client.TextFilter;
  part_id?: client.TextFilter;
  support_email?: client.TextFilter;
  manual?: client.TextFilter;
  hours?: client.NumberFilter;
  weight?: client.NumberFilter;
  is_leased?: client.BooleanFilter;
  is_insured?: client.BooleanFilter;
  inspected_by?: client.TextFilter;
}

export type MachineSort =
  | 'model'
  | 'power'
  | 'warranty_ends_on'
  | 'serviced_at'
  | 'alarm_at'
  | 'part_id'
  | 'support_email'
  | 'manual'
  | 'hours'
  | 'tolerance'
  | 'is_insured';

/** The operations of `/api/assets/machine`. */
export const machineOperations = (requests: client.Requests) => {
  const path = '/api/assets/machine';
  return {
    /** List machines, newest first. */
    ...client.searchedLists<Machine, MachineFilter, MachineSort>(requests, path),

    /** Create a machine. */
    create: client.create<Machine, MachineCreate>(requests, path),

    /** Retrieve a machine. */
    retrieve: client.retrieve<Machine>(requests, path),

    /** Update a machine. */
    update: client.update<Machine, MachineUpdate>(requests, path),
  };
};
