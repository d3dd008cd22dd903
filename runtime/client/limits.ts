/** Records of a page that an iteration asks for. */
export const pageLength = 100;

/** The longest `Retry-After` that is waited for, in seconds. */
export const longestWait = 30;

/** Milliseconds for a response, unless the options of a client name others. */
export const defaultTimeout = longestWait * 1_000;

/** Milliseconds before the first repetition if the server names no time; each further one waits twice as long, up to the last. */
export const firstDelay = 250;
export const longestDelay = 32 * firstDelay;
