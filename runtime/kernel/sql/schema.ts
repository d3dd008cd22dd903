import type { Table } from '../model/table.ts';

export { literal, quote } from './values.ts';

/** The column of each table that counts the writes of a row: its record's ETag. */
export const versionColumn = '_version';

/**
 * Characters of a parent's id in an index: PostgreSQL's indexes hold no long values, and parents stored outside this service
 * may have long ids. Only the items of parents with a shorter id have a row counter.
 */
export const parentPrefix = 500;

/** The columns that identify a line item's parent. */
export const parentColumns = ({ parent }: Table): string[] =>
  parent ? [...(parent.typeField === undefined ? [] : [parent.typeField]), parent.field] : [];

/** The part of an id that sorts by time: all but the name of the resource. */
export const idSuffix = 'substr("id", length("id") - 25)';

/** The sort key of creation: the id, or its suffix if the resource was renamed, as older ids have another prefix. */
export const sortKey = ({ renamedFrom }: Table): string => (renamedFrom ? idSuffix : '"id"');

/** The value of `sortKey` in the row with this id. */
export const sortKeyOf = ({ renamedFrom }: Table, id: string): string => (renamedFrom ? id.slice(-26) : id);

/**
 * The table of the row counters: one for each table of records, with an empty `parent`, and one for each parent of line
 * items. Counters change in the transaction of the write; each is the sum of its shards, so that writers need not queue.
 */
export const rowCounters = '_row_counter';

/** The table of the organizations. */
export const organizations = '_organization';

/** The column of each table that says which organization a row belongs to: the first one of its keys. */
export const organizationColumn = '_organization';

/** The organization that is there from the start, and its name, which it keeps. */
export const mainOrganization = 1;

export const mainName = 'main';
