import type { Field } from '../model.ts';
import { texts } from '../texts.ts';
import { localDay } from '../time.ts';
import type { Filter } from './query.ts';

/** Days in the time zone of the browser: from the first midnight until before the second one. */
interface Period {
  readonly start: Date;
  readonly end: Date;
}

const dayAfter = (date: Date, days: number): Date =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);

/** The starts of weeks, from Monday on, of months and of years, so many of them after that of a date. */
const startOf: Readonly<Record<string, (date: Date, by: number) => Date>> = {
  week: (date, by) => dayAfter(date, 7 * by - ((date.getDay() + 6) % 7)),
  month: (date, by) => new Date(date.getFullYear(), date.getMonth() + by, 1),
  year: (date, by) => new Date(date.getFullYear() + by, 0, 1),
};

const steps: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 };

/** A day, like `today-7d`. */
const day = /^today(?:([+-]\d{1,5})d)?$/;
/** Today with the days before or after it, like `last-7d`. */
const days = /^(last|next)-(\d{1,5})d$/;
/** Like `this-month`. */
const calendar = /^(last|this|next)-(week|month|year)$/;

/** The days that a relative value means; undefined if it is none. */
function periodOf(value: string, now = new Date()): Period | undefined {
  const today = dayAfter(now, 0);
  const [isDay, distance = '0'] = day.exec(value) ?? [];
  if (isDay !== undefined)
    return { start: dayAfter(today, Number(distance)), end: dayAfter(today, Number(distance) + 1) };
  const [, direction, count] = days.exec(value) ?? [];
  if (direction === 'last') return { start: dayAfter(today, -Number(count)), end: dayAfter(today, 1) };
  if (direction === 'next') return { start: today, end: dayAfter(today, Number(count) + 1) };
  const [, which = '', unit = ''] = calendar.exec(value) ?? [];
  const by = steps[which];
  const start = startOf[unit];
  return start && by !== undefined ? { start: start(today, by), end: start(today, by + 1) } : undefined;
}

/** Whether the values of a field are dates, which filters may name relative to today. */
export const isDated = ({ format }: Pick<Field, 'format'>): boolean => format === 'date' || format === 'date-time';

export const isRelative = (value: string, field: Pick<Field, 'format'>): boolean =>
  isDated(field) && periodOf(value) !== undefined;

/** The comparisons with a period, as comparisons with its bounds. */
const bounds: Readonly<Record<string, readonly (readonly ['gte' | 'lt', keyof Period])[]>> = {
  eq: [
    ['gte', 'start'],
    ['lt', 'end'],
  ],
  gte: [['gte', 'start']],
  gt: [['gte', 'end']],
  lt: [['lt', 'start']],
  lte: [['lt', 'end']],
};

/**
 * A filter as the API takes it: relative dates become those of now, in the time zone of the browser. Other filters stay as they are.
 *
 * @param field undefined if the document has none of this name
 */
export function absoluteFilters(filter: Filter, field: Field | undefined, now?: Date): readonly Filter[] {
  const period = field && isDated(field) ? periodOf(filter.value, now) : undefined;
  const comparisons = bounds[filter.operator];
  if (!period || !comparisons) return [filter];
  return comparisons.map(([operator, bound]) => ({
    field: filter.field,
    operator,
    value: field?.format === 'date' ? localDay(period[bound]) : period[bound].toISOString(),
  }));
}

/** A relative value in words, like "in the last 7 days"; behind "before" and the like, they name its bounds: "this week". */
export function relativeText(value: string, operator: string): string {
  const words = wordsOf(value);
  return operator === 'eq' || day.test(value) ? words : texts.filters.bound(words);
}

function wordsOf(value: string): string {
  const known = (texts.filters.periods as Readonly<Record<string, string>>)[value];
  if (known !== undefined) return known;
  const [, distance] = day.exec(value) ?? [];
  if (distance !== undefined)
    return Number(distance) < 0 ? texts.filters.daysAgo(-Number(distance)) : texts.filters.inDays(Number(distance));
  const [, direction, count] = days.exec(value) ?? [];
  return direction === 'last' ? texts.filters.lastDays(Number(count)) : texts.filters.nextDays(Number(count));
}

/** The days that a relative value means today, like "Nov 23 – 29, 2026". */
export function daysOf(value: string): string {
  const { start, end } = periodOf(value) as Period;
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).formatRange(start, dayAfter(end, -1));
}

/** The distances in days that a comparison offers, each as a value with `#` for the days. */
const distances = { last: 'last-#d', next: 'next-#d', ago: 'today-#d', ahead: 'today+#d' } as const;

/** A relative value as a form has it: one of `choicesFor`, and the days of a distance. */
export interface Choice {
  readonly choice: string;
  readonly days: number;
}

const periodsOf = (names: readonly string[], operator: string): readonly (readonly [string, string])[] =>
  names.map((name) => [name, relativeText(name, operator)]);

/** The relative values that a comparison offers, with their words: periods to be in, or days to be before or after. Others offer none. */
export function choicesFor(operator: string): readonly (readonly [string, string])[] {
  const words = texts.filters.distances;
  if (operator === 'eq')
    return [...periodsOf(Object.keys(texts.filters.periods), operator), ['last', words.last], ['next', words.next]];
  if (bounds[operator] === undefined) return [];
  const periods = periodsOf(['today', 'this-week', 'this-month', 'this-year'], operator);
  return [...periods, ['ago', words.ago], ['ahead', words.ahead]];
}

/** The relative value that a choice means. */
export const valueOfChoice = ({ choice, days: count }: Choice): string =>
  distances[choice as keyof typeof distances]?.replace('#', String(count)) ?? choice;

/** The choice of a comparison that a relative value means; undefined if it offers none. */
export function choiceOf(value: string, operator: string): Choice | undefined {
  const count = Number(/\d+/.exec(value)?.[0] ?? 0);
  const names = choicesFor(operator).map(([name]) => name);
  const choice = names.includes(value)
    ? value
    : names.find((name) => valueOfChoice({ choice: name, days: count }) === value);
  return choice === undefined ? undefined : { choice, days: count };
}
