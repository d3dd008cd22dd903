import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { maxTextLength } from './limits.ts';

/** The rule for strings of a format. */
interface FormatRule {
  /** The code of the error for a string of another form. */
  readonly code: `invalid_${string}`;
  /** Completes "must be". */
  readonly words: string;
  readonly accepts: (value: string) => boolean;
  /**
   * The order of the values: that of their texts, one of their own, which their stored texts have, too, or none. Without an
   * order, they have no ranges, no sort and no `<` in rules.
   */
  readonly order: 'text' | 'own' | 'none';
  /** The one form in which a value is stored; undefined for a value that is not accepted. Without it, a value stays as it is. */
  readonly normalize?: (value: string) => string | undefined;
  /** The keywords of JSON Schema beside `format`, if fewer strings are accepted than the format allows. */
  readonly limits?: { readonly maxLength?: number; readonly pattern?: string };
}

const isRealDate = (value: string): boolean => z.regexes.date.test(value);

const fullTime = String.raw`([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)`;
const time = new RegExp(`^${fullTime}$`);
const zone = String.raw`[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d`;
const dateTime = new RegExp(
  String.raw`^(\d{4}-\d{2}-\d{2})[Tt]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?(${zone})$`,
);
const timestampLength = 'YYYY-MM-DDTHH:mm:ss.sssZ'.length;

/**
 * Writes a date-time (RFC 3339) as timestamps are written: in UTC, cut off behind the milliseconds. Such texts sort as the
 * instants do.
 *
 * @returns undefined if it is none, has a second 60 or over nine digits of a second, or is before the year 0000 or after 9999
 */
export function toTimestamp(value: string): string | undefined {
  const [, day = '', seconds = '', fraction = '', offset = ''] = dateTime.exec(value) ?? [];
  if (!isRealDate(day)) return undefined;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const timestamp = new Date(`${day}T${seconds}.${milliseconds}${offset.toUpperCase()}`).toISOString();
  // Other years have a sign and six digits.
  return timestamp.length === timestampLength ? timestamp : undefined;
}

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const mailbox = String.raw`^(?=.{1,64}@)${atom}(?:\.${atom})*@${label}(?:\.${label})*$`;
const maxMailboxLength = 254;
const email = new RegExp(mailbox, 'u');

/** Characters that stand for themselves anywhere in a URI, these more, and all others as percent-encoded bytes. */
const uriText = (more: string): string => `(?:[A-Za-z0-9._~!$&'()*+,;=${more}-]|%[0-9A-Fa-f]{2})*`;
const host = String.raw`(?:\[(?:([0-9A-Fa-f:.]+)|[Vv][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+)\]|${uriText('')})`;
const path = uriText(':@/');
const uri = new RegExp(
  `^[A-Za-z][A-Za-z0-9+.-]*:(?://(?:${uriText(':')}@)?${host}(?::[0-9]*)?(?:/${path})?|(?!//)${path})` +
    String.raw`(?:\?${uriText(':@/?')})?(?:#${uriText(':@/?')})?$`,
);

function isUri(value: string): boolean {
  const match = value.length <= maxTextLength ? uri.exec(value) : null;
  return match !== null && (match[1] === undefined || isIPv6(match[1]));
}

/**
 * The formats of strings. Values are kept as they are written, but those of `date-time`.
 *
 * - `date`: a day that the calendar has (RFC 3339 full-date).
 * - `date-time`: a point in time with its offset (RFC 3339 date-time); stored as `toTimestamp` writes it.
 * - `time`: a time of day with its offset (RFC 3339 full-time).
 * - `uuid`: 32 hexadecimal digits in groups of 8-4-4-4-12, of any version and in either case (RFC 9562, section 4).
 * - `email`: a mailbox (RFC 5321) of ASCII characters, without quoted local parts and without addresses in brackets.
 * - `uri`: a URI with its scheme (RFC 3986): ASCII characters, all others percent-encoded.
 */
export const formats = {
  date: { code: 'invalid_date', words: 'a real date, written YYYY-MM-DD', order: 'own', accepts: isRealDate },
  'date-time': {
    code: 'invalid_date_time',
    words: 'a date and time, written YYYY-MM-DDTHH:mm:ssZ',
    order: 'own',
    accepts: (value) => toTimestamp(value) !== undefined,
    normalize: toTimestamp,
    // RFC 3339 has a second 60, and any number of digits.
    limits: { pattern: String.raw`:[0-5]\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$` },
  },
  time: {
    code: 'invalid_time',
    words: 'a time with its offset, written HH:mm:ssZ',
    order: 'text',
    accepts: (value) => time.test(value),
  },
  uuid: {
    code: 'invalid_uuid',
    words: 'a UUID: hexadecimal digits in groups of 8-4-4-4-12',
    order: 'text',
    accepts: (value) => z.regexes.guid.test(value),
  },
  email: {
    code: 'invalid_email',
    words: 'an email address, like name@example.com',
    order: 'text',
    accepts: (value) => value.length <= maxMailboxLength && email.test(value),
    limits: { maxLength: maxMailboxLength, pattern: mailbox },
  },
  uri: {
    code: 'invalid_uri',
    words: 'a URI, like https://example.com/path',
    order: 'text',
    accepts: isUri,
    limits: { maxLength: maxTextLength },
  },
} as const satisfies Record<string, FormatRule>;

export type Format = keyof typeof formats;

/** The codes of strings that do not have their format. */
export type FormatErrorCode = (typeof formats)[Format]['code'];

/** The rule of a format. */
export const formatRule = (format: Format): FormatRule & { readonly code: FormatErrorCode } => formats[format];
