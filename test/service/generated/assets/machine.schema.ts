// Generated from spec/assets/machine.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, nullable, optional, query, readOnly, record, updatable } from '../../runtime/index.ts';

/** A machine that was sold and is looked after. It is never deleted. */
export const Machine = z.strictObject({
  id: field.id(),
  serial_number: field.text({ pattern: /^[A-Z]{2}-[0-9]{6}$/u }),
  model: field.text({ min: 3, max: 40 }),
  /** Null if unknown. */
  location: nullable(field.text()),
  condition: optional(field.oneOf(['new', 'used', 'scrapped']), 'new'),
  power: field.oneOf(['mains', 'battery', 'hand']),
  built_on: optional(field.date()),
  warranty_ends_on: optional(field.date(), '2030-12-31'),
  serviced_at: optional(field.dateTime()),
  alarm_at: optional(field.time(), '06:00:00Z'),
  part_id: optional(field.uuid()),
  support_email: optional(field.email()),
  manual: optional(field.uri()),
  /** The default is the constant default_hours of spec/service.yaml. */
  hours: optional(field.integer({ min: 0, max: 1000000 }), 0),
  weight: optional(field.number({ min: 0.5, max: 90000 })),
  tolerance: optional(field.number(), 0.25),
  is_leased: field.boolean(),
  is_insured: optional(field.boolean(), true),
  region: optional(field.text({ max: 20 }), 'eu-west'),
  /** Filled in by the inspection. */
  inspected_by: readOnly(optional(field.text())),
  risk: readOnly(optional(field.integer(), 3)),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Machine = z.infer<typeof Machine>;

export const MachineCreate = creatable(Machine);
export const MachineUpdate = updatable(Machine);
export const MachineQuery = query(Machine, {
  filter: [
    'serial_number',
    'condition',
    'built_on',
    'serviced_at',
    'alarm_at',
    'part_id',
    'support_email',
    'manual',
    'hours',
    'weight',
    'is_leased',
    'is_insured',
    'inspected_by',
  ],
  sort: [
    'model',
    'power',
    'warranty_ends_on',
    'serviced_at',
    'alarm_at',
    'part_id',
    'support_email',
    'manual',
    'hours',
    'tolerance',
    'is_insured',
  ],
  search: ['model', 'location', 'region'],
});
export const machineTable = record('machine', Machine, {
  path: 'assets/machine',
  operations: ['list', 'create', 'retrieve', 'update'],
  list: MachineQuery,
});
