import type { Feature } from '../../kernel/feature.ts';
import { type AddedOperation, transition } from '../../kernel/model/operations.ts';
import type { Trait } from '../../kernel/model/table.ts';
import { archivedParameter } from './parameter.ts';
import { archivedOnce, describeArchived } from './write-part.ts';

/** Archived records stay as they are, and lists leave them out unless a request asks for them. */
export const archive: Feature = {
  name: 'archive',
  needs: ['states'],
  parameters: archivedParameter,
  write: archivedOnce,
  describe: describeArchived,
  migration: async () => (await import('./compare.ts')).migration,
};

/** The time at which a record was archived; null if it is not. */
const field = 'archived_at';

const archiving = <N extends string>(name: N, sets: AddedOperation['sets']) =>
  ({ ...transition, name, path: transition.path + name, sets }) as const satisfies AddedOperation;

/** The operations that archive a record, and take that back. They fail with `wrong_state` (409) if that is done already. */
export const archiveOperations = [
  archiving('archive', { [field]: { at: 'now' } }),
  archiving('unarchive', { [field]: null }),
];

/** Records can be archived, by operations of their own. */
export const archived = (): Trait => (table) => ({
  ...table,
  added: [...(table.added ?? []), ...archiveOperations],
  locks: [...(table.locks ?? []), { field, reason: 'it is archived' }],
  unlistedBy: field,
});
