import { maxBodyBytes } from '../kernel/model/limits.ts';

/** Repetitions of a request: a server may be unreachable or overloaded for over two minutes. */
export const retries = 20;

/** Milliseconds for a response: a server gives up work after 15 s, and slow lines need time to carry it. */
export const timeout = 300_000;

/** Bytes of a row: as many as the largest record may have. */
export const maxRowBytes = 64 * maxBodyBytes;

/** Bytes of a page that are asked for: its limit follows from the length of the page before it. */
export const pageBytes = 2 * maxBodyBytes;

/** Bytes of a page that are read; of a longer one fewer records are asked for. */
export const maxPageBytes = 16 * pageBytes;

/** Characters of rows that are sent together: a server takes more at once, but parses longer bodies in turn. */
export const groupLength = 0.75 * maxBodyBytes;

/** Errors of rows that are shown; of the others their number. */
export const maxShownErrors = 20;

/** Ids of a resource that are remembered: an import with more asks again, and demo records refer to the newest ones. */
export const maxKnownIds = 20_000;

/** Milliseconds between two lines of progress, as fast as one reads. */
export const progressInterval = 200;

/** A resource with so few fields that a client sets is a list of terms, and short. */
export const fieldsOfTerms = 3;
export const maxTerms = 6;

/** One of so many records of the demo is archived, if its resource allows that. */
export const archivedEach = 8;

/** Line items that a parent of the demo gets, on average. */
export const itemsOfParent = 3;
