// Generated from spec/crm/paint.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  creatable,
  defaulted,
  field,
  listed,
  optional,
  query,
  record,
  transition,
  updatable,
} from '../../runtime/index.ts';

/** A paint. */
export const Paint = z.strictObject({
  id: field.id(),
  color: optional(field.oneOf(['scarlet', 'green'], { crimson: 'scarlet' })),
  /** The values are the enum finish of spec/service.yaml. */
  finish: defaulted(field.oneOf(['matt', 'glossy'], { shiny: 'glossy', "it's bright": 'glossy' }), 'glossy'),
  /** The values are the enum finish of spec/service.yaml. */
  finishes: optional(field.list(field.oneOf(['matt', 'glossy'], { shiny: 'glossy', "it's bright": 'glossy' }))),
  status: optional(field.oneOf(['open', 'sold'], { draft: 'open', gone: 'sold', dead: 'sold' }), 'open'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Paint = z.infer<typeof Paint>;

/** The input of sell. */
export const PaintSellInput = z.strictObject({
  /** The values are the enum finish of spec/service.yaml. */
  finish: field.oneOf(['matt', 'glossy'], { shiny: 'glossy', "it's bright": 'glossy' }),
});

export const PaintCreate = creatable(Paint);
export const PaintUpdate = updatable(Paint);
export const PaintQuery = query(Paint, {
  filter: ['color'],
  sort: ['finish'],
});
export const paintTable = record('paint', Paint, { path: 'crm/paint' }, [
  listed(PaintQuery),
  transition('sell', {
    field: 'status',
    from: ['open'],
    to: 'sold',
    set: { finish: { input: 'finish' } },
    input: PaintSellInput,
  }),
]);
