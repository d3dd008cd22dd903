import { day } from '../values/time.ts';

/** Code points a string may hold, where its field states no `max_length`. */
export const maxTextLength = 65_536;

/** Bytes that the JSON of a free object may have, where its field states no `max_bytes`. */
export const maxJsonBytes = 65_536;

/** Bytes a request body may hold, where its resource states no `max_body`; longer ones are parsed by a thread. */
export const maxBodyBytes = 1_048_576;

/** Whether a record may have more bytes than most tables allow: it is read and written apart from others. */
export const mayBeLarge = ({ maxBody }: { readonly maxBody: number }): boolean => maxBody > maxBodyBytes;

/** Levels of objects and arrays in a request body, or in a value of any form in one; those of this API need three. */
export const maxJsonDepth = 32;

/**
 * Entries of a list within a request or a response, like the values of `in`, the line items of a record and `errors`: more are
 * read by another request, or only counted.
 */
export const maxEntries = 100;

/** Names, words or errors that are shown in a sentence, with the number of the others. */
export const maxNamed = 10;

/** Records in a page of a list when `limit` is absent, and the most that a client can ask for, or that a reorder may name. */
export const defaultListLimit = 20;
export const maxListLimit = 1000;

/** Milliseconds for which the answer to a request with an `Idempotency-Key` is given again. */
export const answersKeptFor = day;

/** Fields that a list is sorted by. */
export const maxSortKeys = 3;

/** Records that a delete may delete or change beside the one that it names, and the line items of these. */
export const maxCascade = 10_000;

/** Operations of one batch; bytes of its body; members and array entries in it. */
export const maxBatchOperations = maxEntries;
export const maxBatchBytes = 16 * maxBodyBytes;
export const maxBatchValues = maxBatchOperations * maxListLimit;

/**
 * Bytes of results above which a batch begins no further operation: they are held in memory, and a record may be far longer
 * than the update that responds with it.
 */
export const maxBatchResults = 2 * maxBatchBytes;

/** Milliseconds that the work on a request may take, from its last byte on; then the response is 503. */
export const maxWorkDuration = 15_000;

/** Milliseconds between two looks at something that seldom changes: clock, file, schema, a server that was down. */
export const checkInterval = 1_000;

/** Milliseconds by which the clocks of several machines may differ. */
export const clockTolerance = 10_000;

/** Bytes of a request target (path and query); the response to a longer one is 414. */
export const maxTargetBytes = 8_192;

/** Bytes of a request line and its headers together; the response to more is 431. */
export const maxHeaderBytes = 2 * maxTargetBytes;
