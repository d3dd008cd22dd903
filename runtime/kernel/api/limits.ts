/** Bytes above which a body or a response is large. */
export const largeBytes = 65_536;

/** Bytes that are written to the socket at a time, and that a response is counted for before its record is read or changed. */
export const sliceBytes = 4 * largeBytes;

/** Bytes that the chunks of a body must have on average: Node takes as long for one as for kilobytes. */
export const minChunkBytes = 32;

/** Bytes of a response above which it is compressed: a shorter one fits into one packet. */
export const minCompressed = 1_400;

/**
 * Work on a body takes up to this many times its bytes, measured with bodies of 10 to 16 MiB in several scripts: they are
 * decoded, parsed by one thread, sent to the one that writes and bound there, and the record comes back as JSON.
 */
export const workFactor = 14;
