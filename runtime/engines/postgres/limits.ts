import { checkInterval, maxListLimit, maxWorkDuration } from '../../kernel/model/limits.ts';
import { maxPageBytes } from '../../kernel/records/limits.ts';

/** Connections of a process, unless the URL says otherwise: nine processes fit into the 100 that a server has by default. */
export const defaultPoolSize = 11;

/** Quick reads, slow work and writes each have one. */
export const minPoolSize = 3;

/** Quick reads on one connection: they are sent without waiting for each other, and executed in order. */
export const pipelineDepth = 64;

/** Shards of the row counter of a table of records: that many writers need not wait for each other. */
export const counterShards = 32;

/** Milliseconds that a statement may take, so that a request can repeat one; the server enforces it. */
export const statementTimeout = 8_000;

/** Milliseconds to wait for others: for a lock, a new connection, what a replica has still to replay, the new node of an organization. */
export const lockTimeout = maxWorkDuration / 3;

/** Milliseconds that a quick read waits for a lock: those behind it on its connection wait as well. */
export const quickLockTimeout = checkInterval / 10;

/** Milliseconds to wait for a server that may be gone: the end of a statement after its timeout, a quick read of a replica. */
export const answerTimeout = 2 * checkInterval;

/** Offset above which a page is slow, and read from the nearer end of the list. */
export const deepOffset = maxListLimit;

/** Rows found by a search above which a page takes less when all rows are gone through in the order of the list. */
export const maxSorted = 10 * deepOffset;

/** Characters that the texts of a page may have, if it is read as columns; they are held for a moment. */
export const maxColumns = 8 * maxPageBytes;
