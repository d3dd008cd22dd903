import type { Feature } from '../../kernel/feature.ts';
import { namingRecords } from './references.ts';
import { cascadeTooLarge, describeRejections, stillReferenced } from './rejections.ts';
import type { z } from 'zod';
import { changed, type Reference, type References, text } from '../../kernel/model/fields.ts';

/** A record that another one names exists: a delete restricts, cascades, or sets references to null. */
export const references: Feature = {
  name: 'references',
  needs: ['line-items', 'states', 'unique'],
  write: namingRecords,
  errors: [stillReferenced, cascadeTooLarge],
  describe: describeRejections,
  migration: async () => (await import('./compare.ts')).migration,
};

/**
 * A field with the id of a record of a table, or of one of several, which must exist.
 *
 * @param rest what its delete does; by default it is refused
 */
export const refers = (
  tables: string | readonly [string, string, ...string[]],
  { onDelete = 'restrict', ...rest }: Partial<Omit<Reference, 'table' | 'others'>> = {},
): z.ZodType<string, string> & References => {
  const [table, ...others] = [tables].flat() as [string, ...string[]];
  return changed(text(), { references: { table, ...(others.length > 0 && { others }), onDelete, ...rest } });
};
