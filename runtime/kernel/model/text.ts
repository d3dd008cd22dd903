/** The beginning of a text of a client, to be quoted in a response. */
export const shorten = (text: string, length = 100): string =>
  text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;

/** A count with its noun: `1 record`, `1,204 records`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** A text of a client as JSON, shortened. */
export const quoted = (text: string): string => JSON.stringify(shorten(text));
