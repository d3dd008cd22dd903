import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { isList, type Value } from './api.ts';
import { type Field, isDecimal } from './model.ts';
import { RecordLink } from './reference.ts';
import type { StageOf } from './stages.ts';
import { shorten } from './text.ts';

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const instants = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** All digits of a number are shown; fewer decimals than this are filled up with zeros, so that they stand below each other. */
const maxFilled = 4;
const numbers = Array.from(
  { length: maxFilled + 1 },
  (_, decimals) => new Intl.NumberFormat(undefined, { minimumFractionDigits: decimals, maximumFractionDigits: 20 }),
);

/** The decimals that each of the numbers in a column is to have, where they are few. */
export function decimalsOf(values: readonly (Value | undefined)[]): number {
  const lengths = values.map((value) =>
    typeof value === 'number' ? (/\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0) : 0,
  );
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  return longest <= maxFilled ? longest : 0;
}

type Shown = Pick<Field, 'type' | 'format' | 'references' | 'of'>;

const formats: Readonly<Record<string, Intl.DateTimeFormat>> = { date: days, 'date-time': instants };

/** A decimal with all of its digits; as it is if it is older than the type of its field. */
function decimalText(value: string): string {
  const [, fraction = ''] = /^-?\d+(?:\.(\d+))?$/.exec(value) ?? [];
  const digits = { minimumFractionDigits: fraction.length, maximumFractionDigits: fraction.length };
  // Browsers read a string exactly: https://tc39.es/ecma402/#sec-intlmathematicalvalue
  return /^-?\d/.test(value) ? new Intl.NumberFormat(undefined, digits).format(value as `${number}`) : value;
}

/** A value as text in the language of the browser; empty for null. */
export function textOf(value: Value | undefined, field: Shown, decimals = 0): string {
  const { format } = field;
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return (numbers[decimals] as Intl.NumberFormat).format(value);
  if (isList(value)) return value.map((one) => textOf(one, field.of ?? field)).join(', ');
  if (isDecimal(field)) return decimalText(value);
  const dates = formats[format ?? ''];
  const time = dates ? Date.parse(value) : Number.NaN;
  return dates && !Number.isNaN(time) ? dates.format(time) : value;
}

interface CellProps {
  readonly value: Value | undefined;
  readonly field: Shown;
  /** The stages of the values of a state field. */
  readonly stageOf?: StageOf | undefined;
  /** The least decimals of a number. */
  readonly decimals?: number;
  /** It stands in a link, and so has none. */
  readonly isInLink?: boolean;
}

/**
 * A value in a table or a list: shortened, and isolated, so that no bidirectional control in it reorders what is around.
 */
export function Cell({ value, field, stageOf, decimals, isInLink = false }: CellProps): VNode {
  const text = textOf(value, field, decimals);
  if (text === '') return html`<span class="none">–</span>`;
  if (field.references) return html`<${RecordLink} route=${field.references} id=${text} isText=${isInLink} />`;
  const short = shorten(text);
  const title = short === text ? undefined : shorten(text, 500);
  if (stageOf) return html`<span class="state" data-stage=${stageOf(text)}><bdi>${short}</bdi></span>`;
  return html`<bdi title=${title}>${short}</bdi>`;
}
