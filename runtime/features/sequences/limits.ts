/** Characters of a number, also of one that an import brings. */
export const maxNumber = 100;

/** The largest count that a counter goes on behind: none ever comes near 2^53, behind which there is no next number. */
export const maxCount = 999_999_999_999;

/** Characters of a pattern: its digits may become more. */
export const maxPattern = 60;
