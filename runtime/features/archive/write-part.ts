import { ApiError } from '../../kernel/model/errors.ts';
import type { Words } from '../../kernel/records/write.ts';
import type { WritePart } from '../../kernel/sql/write-part.ts';

declare module '../../kernel/records/write.ts' {
  interface Rejections {
    /** A record is archived, or not archived, already. */
    archived_already: { isArchived: boolean };
  }
}

export const describeArchived: Words<'archived_already'> = {
  archived_already: ({ isArchived }, { table: { title } }) =>
    new ApiError('wrong_state', `The ${title} is ${isArchived ? 'archived already' : 'not archived'}.`),
};

/** A record is archived once, and unarchived once after that. The lock on what is archived is that of states. */
export const archivedOnce: WritePart = {
  isFor: (kind, { unlistedBy }) => kind === 'update' && unlistedBy !== undefined,
  reject({ sql: { table }, operation, stored }) {
    const isArchived = stored?.record[table.unlistedBy ?? ''] !== null;
    const isDone = operation === 'archive' ? isArchived : operation === 'unarchive' && !isArchived;
    return isDone ? { outcome: 'archived_already', isArchived } : undefined;
  },
};
