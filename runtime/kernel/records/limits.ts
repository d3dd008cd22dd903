import { maxBodyBytes, maxEntries, maxWorkDuration } from '../model/limits.ts';

/** Longer pages are streamed, so that no page fills the memory. */
export const maxPageBytes = maxBodyBytes;

/** Records that are read at once beside other requests; a longer page is long work. */
export const shortPage = maxEntries;

/** Changes of records in a batch that is done at once beside other requests: each may write a whole record again, up to 1 MiB. */
export const maxShortChanges = 4;

/** Things of one kind that a process keeps for its clients: writes, requests and connections that wait, keys that it knows. */
export const maxWaiting = 10_000;

/** Entries of a cache: totals of filtered lists, prepared statements. */
export const cacheEntries = 1_000;

/** Milliseconds for which writes are tried again whose hooks have read what others change. */
export const maxRepetition = (2 * maxWorkDuration) / 3;

/** Attempts at a write that concurrent ones refuse. */
export const maxAttempts = 10;
