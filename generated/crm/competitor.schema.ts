// Generated from spec/crm/competitor.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, listed, optional, query, record, updatable } from '../../runtime/index.ts';

/** A company that vies for the same customers. */
export const Competitor = z.strictObject({
  id: field.id(),
  competitor_name: field.text(),
  website: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Competitor = z.infer<typeof Competitor>;

export const CompetitorCreate = creatable(Competitor);
export const CompetitorUpdate = updatable(Competitor);
export const CompetitorQuery = query(Competitor, {
  sort: ['competitor_name'],
  search: ['competitor_name', 'website'],
});
export const competitorTable = record('competitor', Competitor, { path: 'crm/competitor' }, [listed(CompetitorQuery)]);
