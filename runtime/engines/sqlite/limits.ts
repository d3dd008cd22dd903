import { checkInterval, maxBodyBytes, maxWorkDuration } from '../../kernel/model/limits.ts';

/** Milliseconds that a connection waits for another one's lock: longer than any commit takes. */
export const lockTimeout = 2 * checkInterval;

/** The page cache of a connection: the inner pages of eight indexes of a million rows fit into it. */
export const pageCacheKibibytes = 4_096;

/**
 * Pages of the write-ahead log, 32 MiB. Above them, the last part of a checkpoint makes other servers wait for it. The worker thread
 * begins one after writes of about a quarter, as each takes several fsyncs; its own commits run one at a half.
 */
export const maxLogPages = 8_000;

/** Bytes that a write counts for besides its texts: about those of the pages that it changes and others of its group do not. */
export const bytesPerWrite = 2_048;

/** Bytes of writes between two checkpoints. */
export const bytesPerCheckpoint = (maxLogPages / 4) * bytesPerWrite;

/** Milliseconds after which a batch is given up: all other writes wait for it, and must still be done in time. */
export const maxBatchDuration = maxWorkDuration / 3;

/** Milliseconds of an fsync from which on reads would wait too long for it on the main thread. */
export const slowSync = 5;

/** Milliseconds after which a group leaves the rest of its writes to the next one, so that others have their turn. */
export const maxGroupDuration = 5 * slowSync;

/** Rows that a page on the main thread may compare or sort, in about 0.5 ms, and those that it may skip or count in an index. */
export const shortWork = 500;
export const shortCount = 20 * shortWork;

/** Characters of records' JSON that a process caches: those of 20,000 records of usual size. A string has a byte or two for each. */
export const recordCacheLength = 32 * maxBodyBytes;

/** Turns of the event loop that accept a connection each, before a commit. */
export const maxAcceptingTurns = 256;
