/** Code points a string may hold, where its field states no `max_length`. */
export const maxTextLength = 65_536;

/** Bytes a request body may hold, where its resource states no `max_body`; longer ones are parsed by a thread. */
export const maxBodyBytes = 1_048_576;

/** Whether a record may have more bytes than most tables allow: it is read and written apart from others. */
export const mayBeLarge = ({ maxBody }: { readonly maxBody: number }): boolean => maxBody > maxBodyBytes;

/** Levels of objects and arrays in a request body; those of this API need three. */
export const maxJsonDepth = 32;

/**
 * Entries of a list within a request or a response, like the values of `in`, the line items of a record and `errors`: more are
 * read by another request, or only counted.
 */
export const maxEntries = 100;

/** The most values in a list that a field can state as its `max_items`; without it, there are `maxEntries`. */
export const mostListItems = 1_000;

/** Names, words or errors that are shown in a sentence, with the number of the others. */
export const maxNamed = 10;

/** Records in a page of a list when `limit` is absent, and the most that a client can ask for, or that a reorder may name. */
export const defaultListLimit = 20;
export const maxListLimit = 1000;

/** Milliseconds for which the answer to a request with an `Idempotency-Key` is given again. */
export const answersKeptFor = 24 * 60 * 60 * 1000;

/** Limits of the parameters of a list. */
export const maxSortKeys = 3;
export const maxSearchLength = 200;
export const maxSearchWords = 10;

/** Records that a delete may delete or change beside the one that it names, and the line items of these. */
export const maxCascade = 10_000;

/** Operations of one batch; bytes of its body; members and array entries in it. */
export const maxBatchOperations = maxEntries;
export const maxBatchBytes = 16 * 1024 * 1024;
export const maxBatchValues = maxBatchOperations * maxListLimit;

/**
 * Bytes of results above which a batch begins no further operation: they are held in memory, and a record may be far longer
 * than the update that responds with it.
 */
export const maxBatchResults = 2 * maxBatchBytes;

/** Milliseconds that the work on a request may take, from its last byte on; then the response is 503. */
export const maxWorkDuration = 15_000;

/** Milliseconds after which a request that was sent is done or never will be: some to arrive, and what its work may take. */
export const outcomeDelay = maxWorkDuration + 5_000;

/** Milliseconds between two looks at something that seldom changes: clock, file, schema, a server that was down. */
export const checkInterval = 1_000;

/** Milliseconds by which the clocks of several machines may differ. */
export const clockTolerance = 10_000;

/** Bytes of a request target (path and query); the response to a longer one is 414. */
export const maxTargetBytes = 8_192;

/** Bytes of a request line and its headers together; the response to more is 431. */
export const maxHeaderBytes = 2 * maxTargetBytes;
