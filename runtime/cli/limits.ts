/** The most batches of an import at once: a server has no use for more. */
export const maxParallel = 32;

/** Seconds for which a key is valid at most: no key is given a longer life than a person. */
export const maxKeyLife = 100 * 366 * 86_400;
