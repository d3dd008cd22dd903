// Generated from spec/crm/competitor.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A company that vies for the same customers. */
export const Competitor = z.strictObject({
  id: id(),
  competitor_name: text(),
  website: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Competitor = z.infer<typeof Competitor>;

export const CompetitorCreate = creatable(Competitor);
export const CompetitorUpdate = updatable(Competitor);
export const competitorTable = record('competitor', Competitor);
