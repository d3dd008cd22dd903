import type { Feature } from '../../kernel/feature.ts';
import type { Trait } from '../../kernel/model/table.ts';
import { archivedParameter } from './parameter.ts';
import { archiving, describeArchived } from './write-part.ts';

/** Archived records stay as they are, and lists leave them out unless a request asks for them. */
export const archive: Feature = {
  name: 'archive',
  needs: ['states'],
  parameters: archivedParameter,
  write: archiving,
  describe: describeArchived,
  migration: async () => (await import('./compare.ts')).migration,
};

/** The time at which a record was archived; null if it is not. */
const field = 'archived_at';

/** Records can be archived, by operations of their own. */
export const archived = (): Trait => (table) => ({
  ...table,
  operations: [...table.operations, 'archive', 'unarchive'],
  locks: [...(table.locks ?? []), { field, reason: 'it is archived' }],
  unlistedBy: field,
});
