import { lazy } from './lazy.ts';

const wholeNumbers = lazy(() => new Intl.NumberFormat());

/** A count, in the language of the browser. */
export const wholeNumber = (value: number): string => wholeNumbers().format(value);

/** Abbreviations that names of fields are written with. */
const abbreviations = new Set(['api', 'bom', 'iban', 'id', 'pos', 'sla', 'uom', 'url', 'utm', 'vat']);

/** A name as people write it: `customer_name` is "Customer name". */
export function titleOf(name: string): string {
  const words = name.split(/[_-]+/).map((word) => (abbreviations.has(word) ? word.toUpperCase() : word));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether nothing of a text can be seen: it has spaces and formatting characters alone. */
export const isBlank = (text: string): boolean => /^[\s\p{Cf}]*$/u.test(text);

/** The first characters of a long text, on one line. */
export function shorten(text: string, max = 160): string {
  const line = text
    .slice(0, max * 2)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > max || text.length > max * 2 ? `${line.slice(0, max).trimEnd()}…` : line;
}

/** A title within a sentence: "sales order" for "Sales Order"; abbreviations stay as they are. */
export const inSentence = (title: string): string =>
  title.replaceAll(/\p{L}+/gu, (word) => (/\p{Lu}{2}/u.test(word) ? word : word.toLowerCase()));
