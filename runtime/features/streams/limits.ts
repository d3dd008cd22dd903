/** Looks without an event after which a stream says that it is alive. */
export const silentIntervals = 20;

/** Streams of events that a process has open; a quarter of them may be of one key, half of the free ones of an organization. */
export const maxEventStreams = 200;
