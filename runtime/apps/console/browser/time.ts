const pad = (value: number, length = 2): string => String(value).padStart(length, '0');

/** A day as the API writes it, in the time zone of the browser. */
export const localDay = (date: Date): string =>
  [pad(date.getFullYear(), 4), pad(date.getMonth() + 1), pad(date.getDate())].join('-');

/** A date and time as `datetime-local` has it, in the time zone of the browser: with seconds if there are any. */
export function toLocalTime(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  const milliseconds = date.getMilliseconds() === 0 ? '' : `.${pad(date.getMilliseconds(), 3)}`;
  const seconds = milliseconds || date.getSeconds() > 0 ? `:${pad(date.getSeconds())}${milliseconds}` : '';
  return `${localDay(date)}T${pad(date.getHours())}:${pad(date.getMinutes())}${seconds}`;
}

/** The reverse of `toLocalTime`, as the API takes it. */
export const fromLocalTime = (text: string): string => (text === '' ? '' : new Date(text).toISOString());
