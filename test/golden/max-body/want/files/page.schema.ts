// Generated from spec/files/page.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A text of the usual size. */
export const Page = z.strictObject({
  id: id(),
  data: text(),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Page = z.infer<typeof Page>;

export const PageCreate = creatable(Page);
export const PageUpdate = updatable(Page);
export const pageTable = record('page', Page);
