/** Code points a string may hold, where its field states no `max_length`. */
export const maxTextLength = 65_536;

/** Bytes a request body may hold, where its resource states no `max_body`; longer ones are parsed by a thread. */
export const maxBodyBytes = 1_048_576;

/** Levels of objects and arrays in a request body; those of this API need three. */
export const maxJsonDepth = 32;

/** Entries in the `errors` of an answer; of the others it has the number. */
export const maxListedErrors = 100;

/** Records a list answers when `limit` is absent, and the most it can be asked for. */
export const defaultListLimit = 20;
export const maxListLimit = 1000;

/** Limits of the parameters of a list. */
export const maxInValues = 100;
export const maxSortKeys = 3;
export const maxSearchLength = 200;
export const maxSearchWords = 10;

/** Line items that a record is shown with. */
export const maxExpandedItems = 100;

/** Errors of a query that its answer names; of the others it has the number. */
export const maxNamedErrors = 10;

/** Items one reorder may name. */
export const maxReorderItems = 1000;

/** Operations of one batch; bytes of its body; members and array entries in it. */
export const maxBatchOperations = 100;
export const maxBatchBytes = 16 * 1024 * 1024;
export const maxBatchValues = 100_000;

/**
 * Bytes of results above which a batch begins no further operation: they are held in memory, and a record may be far longer
 * than the update that answers with it.
 */
export const maxBatchResults = 32 * 1024 * 1024;

/** Milliseconds that the work on a request may take, from its last byte on; then it is answered 503. */
export const maxWorkDuration = 15_000;

/** Bytes of a request target (path and query); a longer one is answered 414. */
export const maxTargetBytes = 8_192;

/** Bytes of a request line and its headers together; more are answered 431. */
export const maxHeaderBytes = 16_384;
