/** The most groups that a count has. */
export const maxGroups = 100;

/** Rows up to which the conditions of a filter are counted to find the one that fewest rows meet. */
export const maxCompared = 50_000;
