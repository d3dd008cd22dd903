/** Characters and words of a search. */
export const maxSearchLength = 200;
export const maxSearchWords = 10;
