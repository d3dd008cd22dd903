import { expect, test } from 'vitest';

import { dueFields } from '../../runtime/apps/console/browser/home/due-fields.ts';
import type { Field, Resource } from '../../runtime/apps/console/browser/model.ts';
import { type Command, matches, ranked } from '../../runtime/apps/console/browser/palette/command.ts';
import { relativeTime } from '../../runtime/apps/console/browser/relative-time.ts';

const resourceWith = (dates: readonly string[], filtered: readonly string[], by: readonly string[]): Resource => {
  const fieldOf = (name: string): object => ({
    name,
    type: 'string',
    format: dates.includes(name) ? 'date' : undefined,
  });
  return {
    route: 'a/b',
    fields: [...dates, 'status'].map(fieldOf) as readonly Field[],
    filters: new Map(filtered.map((name) => [name, name === 'status' ? ['eq', 'in'] : ['eq', 'lt']])),
    transitions: [],
    counts: { by, sum: [] },
  } as unknown as Resource;
};

test('dates are due by a word of their names', () => {
  const due = ['due_on', 'valid_till', 'deadline', 'loan_end_date', 'resolution_by', 'expires_at', 'ends'];
  const others = ['duet_on', 'opening_date', 'spending', 'standby', 'legend', 'by_date'];
  const dates = [...due, ...others];
  const fields = dueFields(resourceWith(dates, [...dates, 'status'], ['status']));
  expect(fields.map((field) => field.due.name)).toEqual(due);
});

test('a date is due only if its list is filtered by it, and by a state whose values are known', () => {
  expect(dueFields(resourceWith(['due_on'], ['status'], ['status']))).toEqual([]);
  expect(dueFields(resourceWith(['due_on'], ['due_on', 'status'], []))).toEqual([]);
});

test.each([
  [-20, 'now'],
  [20, 'now'],
  [-90, '1 min. ago'],
  [-3 * 3_600, '3 hr. ago'],
  [-86_400 * 1.5, 'yesterday'],
  [-86_400 * 30, 'Feb 1, 2026'],
])('%d seconds are "%s"', (seconds, text) => {
  const now = Date.parse('2026-03-03T12:00:00Z');
  expect(relativeTime(new Date(now + seconds * 1_000).toISOString(), now)).toBe(text);
});

const commandsOf = (...labels: readonly string[]): readonly Command[] =>
  labels.map((label) => ({ key: label, label, run() {} }));

test('the palette finds words by their beginnings, without case and accents', () => {
  const commands = commandsOf('New Über lead', 'Leads', 'Repost ledgers', 'Issue');
  const found = (text: string): string[] => commands.flatMap((one) => (matches(one, text) ? one.label : []));
  expect(found('le')).toEqual(['New Über lead', 'Leads', 'Repost ledgers']);
  expect(found('lead uber')).toEqual(['New Über lead']);
  expect(found('eads')).toEqual([]);
});

test('the palette shows the best match first, whatever its group, and late groups last', () => {
  const groups = [
    { title: 'pages', commands: commandsOf('All issues', 'Issue log') },
    { title: 'late', commands: commandsOf('issue'), isLate: true },
    { title: 'records', commands: commandsOf('Hidden text', 'Issue') },
  ];
  const shown = ranked(groups, 'issue').map(({ title, commands }) => [title, ...commands.map(({ label }) => label)]);
  expect(shown).toEqual([
    ['records', 'Issue', 'Hidden text'],
    ['pages', 'Issue log', 'All issues'],
    ['late', 'issue'],
  ]);
});
