// Generated from spec/files/page.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, query, record, updatable } from '../../runtime/index.ts';

/** A text of the usual size. */
export const Page = z.strictObject({
  id: field.id(),
  data: field.text(),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Page = z.infer<typeof Page>;

export const PageCreate = creatable(Page);
export const PageUpdate = updatable(Page);
export const PageQuery = query(Page);
export const pageTable = record('page', Page, { path: 'files/page', list: PageQuery });
