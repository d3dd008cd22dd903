/** Bytes of a response that are read, so that its connection can be used again: receivers have nothing to say. */
export const maxAnswerBytes = 65_536;

/** Requests to one receiver at once. */
export const maxPosts = 16;

/** Bytes of changes above which the messages to a receiver are in memory one at a time: an event may have megabytes. */
export const maxSharedBytes = 262_144;

/** Calls of the hooks of one resource at once, for all organizations: they run in a process that serves requests. */
export const maxCalls = 4 * maxPosts;

const hour = 3_600_000;

/** Milliseconds between the attempts of a delivery, three days in all: each pause is twice the one before, up to six hours. */
export const retryPauses = Array.from({ length: 24 }, (_, retry) => Math.min(3_000 * 2 ** retry, 6 * hour));

/** Milliseconds between two looks for events and retries, and between two if there is more to do at once. */
export const lookInterval = 500;
export const leastInterval = 50;

/** Milliseconds: events that were noted before are committed, and the look before has seen them. */
export const stirredSince = hour / 6;

/** Milliseconds for which the sender has its lease. It is renewed four times as often. */
export const leaseDuration = 7_000;

/** Milliseconds between two looks whether there is a webhook at all, and between two counts of what waits. */
export const rareInterval = 10_000;

/** Deliveries that wait and are counted. */
export const maxCounted = 10_000;
