import { expect, test } from 'vitest';

import {
  absoluteFilters,
  choiceOf,
  isRelative,
  valueOfChoice,
} from '../../runtime/apps/console/browser/list/relative-dates.ts';
import type { Field, Operator } from '../../runtime/apps/console/browser/model.ts';

/** A Saturday, in the time zone of this process. */
const now = new Date(2026, 10, 28, 15, 30);

const fieldOf = (format?: string): Field => ({ name: 'due', title: 'Due', type: 'string', format }) as Field;

const bounds = (operator: string, value: string, format?: string): readonly string[] =>
  absoluteFilters({ field: 'due', operator: operator as Operator, value }, fieldOf(format), now).map(
    (filter) => `${filter.operator} ${filter.value}`,
  );

test.each([
  ['eq', 'today', 'gte 2026-11-28', 'lt 2026-11-29'],
  ['lt', 'today', 'lt 2026-11-28'],
  ['lte', 'today+30d', 'lt 2026-12-29'],
  ['gt', 'today-1d', 'gte 2026-11-28'],
  ['gte', 'today-7d', 'gte 2026-11-21'],
  ['eq', 'last-7d', 'gte 2026-11-21', 'lt 2026-11-29'],
  ['eq', 'next-30d', 'gte 2026-11-28', 'lt 2026-12-29'],
  ['eq', 'this-week', 'gte 2026-11-23', 'lt 2026-11-30'],
  ['eq', 'last-month', 'gte 2026-10-01', 'lt 2026-11-01'],
  ['eq', 'next-month', 'gte 2026-12-01', 'lt 2027-01-01'],
  ['lt', 'this-year', 'lt 2026-01-01'],
  ['eq', '2026-11-28', 'eq 2026-11-28'],
  ['ne', 'today', 'ne today'],
  ['eq', 'this-decade', 'eq this-decade'],
])('a date is %s %s: %s', (operator, value, ...wanted) => {
  expect(bounds(operator, value, 'date')).toEqual(wanted);
});

test('a point in time is compared with midnights of the time zone, and a text is never a date', () => {
  expect(bounds('eq', 'today', 'date-time')).toEqual([
    `gte ${new Date(2026, 10, 28).toISOString()}`,
    `lt ${new Date(2026, 10, 29).toISOString()}`,
  ]);
  expect(bounds('eq', 'today')).toEqual(['eq today']);
  expect(isRelative('today', fieldOf())).toBe(false);
});

test('what a form offers is read from a filter again', () => {
  for (const [operator, value] of [
    ['eq', 'this-month'],
    ['eq', 'last-12d'],
    ['lt', 'today'],
    ['gte', 'today-7d'],
    ['lt', 'today+1d'],
  ] as const) {
    const choice = choiceOf(value, operator);
    expect(choice && valueOfChoice(choice), value).toBe(value);
  }
  expect(choiceOf('last-7d', 'lt')).toBeUndefined();
});
