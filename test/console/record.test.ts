import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  type Field,
  type OpenApi,
  readModel,
  type Resource,
  type Transition,
} from '../../runtime/apps/console/browser/model.ts';
import { draftOf, edit, moved, newDraft, newRow, storedRow } from '../../runtime/apps/console/browser/record/draft.ts';
import { renumbered } from '../../runtime/apps/console/browser/record/save.ts';
import { merge, reconcile } from '../../runtime/apps/console/browser/record/reconcile.ts';
import { errorsOfRecord } from '../../runtime/apps/console/browser/record/rules.ts';
import { sectionsOf } from '../../runtime/apps/console/browser/record/sections.ts';
import { stagesOf } from '../../runtime/apps/console/browser/stages.ts';
import { fromLocalTime, toLocalTime } from '../../runtime/apps/console/browser/time.ts';
import { changesOf, emptied, isFixed, read, startingValues } from '../../runtime/apps/console/browser/record/values.ts';
import type { JsonRecord, Logic, Totals } from '../../runtime/features/rules/expressions/logic.ts';
import { testProject } from '../support/server.ts';

const field = (name: string, options: Partial<Field> = {}): Field => ({
  name,
  title: name,
  type: 'string',
  required: false,
  nullable: true,
  readOnly: false,
  ...options,
});

const amount = field('amount', { type: 'number' });
const count = field('count', { type: 'integer' });
const fine = field('fine', { format: 'decimal' });

test('a decimal is sent with all of its digits, and is the same with more zeros', () => {
  expect(read(fine, ' 9 007 199 254 740 993.10')).toEqual({ value: '9007199254740993.10' });
  const stored = { fine: '-0.50' };
  for (const input of ['-0.5', '-0.50', '-0.500']) expect(changesOf([fine], stored, { fine: input }).body).toEqual({});
  for (const input of ['0.5', '-0.05', 'x'])
    expect(changesOf([fine], stored, { fine: input }).body).toEqual({ fine: input });
});

test('an immutable field is edited until it is stored, and one that is set once until it is set', () => {
  const [site, grantedOn] = [field('site', { immutable: true }), field('granted_on', { immutable: 'once_set' })];
  const fixed = (stored: Record<string, string | null>): boolean[] =>
    [site, grantedOn, amount].map((one) => isFixed(one, stored));
  expect(fixed({ site: 'A', granted_on: null, amount: null })).toEqual([false, false, false]);
  expect(fixed({ id: 'permit_1', site: null, granted_on: null, amount: null })).toEqual([true, false, false]);
  expect(fixed({ id: 'permit_1', site: 'A', granted_on: '2026-01-31', amount: '1' })).toEqual([true, true, false]);
});

test('an emptied field that is never null is left out of a create', () => {
  const stage = field('stage', { nullable: false, default: 'open' });
  expect(emptied(stage, undefined)).toBeUndefined();
  expect(emptied(field('site'), undefined)).toBeNull();
});

test('a stored point in time comes back from its picker as it was', () => {
  // Twice a year an hour has two meanings, or none.
  const instants = fc.date({ min: new Date('2026-04-01'), max: new Date('2026-10-01'), noInvalidDate: true });
  fc.assert(
    fc.property(instants, (at) => void expect(fromLocalTime(toLocalTime(at.toISOString()))).toBe(at.toISOString())),
  );
  expect(toLocalTime('2026-01-31T11:30:00.000Z')).toMatch(/T\d\d:\d\d$/);
});

test('records are done in a state, however many transitions lead to it, if none leaves it but to open them again', () => {
  const move = (name: string, from: readonly string[], to: string): Transition => ({
    name,
    title: name,
    field: 'status',
    from,
    to,
    input: [],
  });
  const transitions = [
    move('offer', ['open'], 'offered'),
    move('drop', ['open'], 'lost'),
    move('lose', ['offered'], 'lost'),
    move('win', ['offered'], 'won'),
    move('reopen', ['lost'], 'open'),
  ];
  const stageOf = stagesOf({ fields: [field('status', { default: 'open' })], transitions } as unknown as Resource);
  const states = ['open', 'offered', 'lost', 'won', 'failed'];
  expect(states.map((state) => stageOf.get('status')?.(state))).toEqual([
    'open',
    'progress',
    'stopped',
    'done',
    'stopped',
  ]);
});

describe('numbers as text', () => {
  test.each([
    ['12', 12],
    [' 1 234.50 ', 1234.5],
    ['1\u202f234', 1234],
    ['-.5', -0.5],
    ['+1e3', 1000],
    ['0.1', 0.1],
    ['1,234.5', 1234.5],
    ['-1,234,567', -1_234_567],
    ['12,34,567', 1_234_567],
    ['-0', -0],
    ['1e308', 1e308],
    ['0.30000000000000004', 0.1 + 0.2],
    ['100000000000000000000000', 1e23],
  ])('%j is %d', (text, value) => expect(read(amount, text)).toEqual({ value }));

  test('a sign that could stand between thousands or before decimals is not guessed', () => {
    for (const text of ['1,234', '-12,345'])
      expect(read(amount, text)).toMatchObject({ problem: expect.stringMatching('two ways') });
    expect(read(count, '1,234')).toEqual({ value: 1234 });
  });

  test.each([
    '',
    '1,5',
    '1,2345',
    '1,234,56',
    '1.234,5',
    '1.2.3',
    '0x10',
    'Infinity',
    '1e',
    'e1',
    '.',
    '1e400',
    '0.1234567890123456789',
    '٣',
  ])('%j is refused with a reason', (text) => expect(read(amount, text)).toEqual({ problem: expect.any(String) }));

  test.each(['1.0', '1e3', '9007199254740992', '-9007199254740993'])('%j is no integer', (text) =>
    expect(read(count, text)).toEqual({ problem: expect.any(String) }),
  );

  test('every double comes back as it was', () => {
    const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(doubles, (value) => {
        expect(read(amount, String(value))).toEqual({ value: Object.is(value, -0) ? 0 : value });
      }),
    );
  });

  test('a number is never stored as another one in silence', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{1,25}(\.\d{1,25})?$/), (text) => {
        const reading = read(amount, text);
        if ('problem' in reading) return;
        // Exactly the same number: in units of its last digit.
        const [whole = '', fraction = ''] = text.split('.');
        const [kept = '', keptFraction = ''] = Number(text)
          .toLocaleString('en', { useGrouping: false, maximumFractionDigits: 100, maximumSignificantDigits: 21 })
          .split('.');
        const digits = Math.max(fraction.length, keptFraction.length);
        const shortest = (part: string, rest: string): bigint => BigInt(part + rest.padEnd(digits, '0'));
        expect(shortest(kept, keptFraction)).toBe(shortest(whole, fraction));
      }),
    );
  });
});

describe('what is sent', () => {
  const fields = [
    field('title', { required: true, nullable: false }),
    field('note'),
    amount,
    field('is_on', { type: 'boolean' }),
  ];

  test('of a new record, what is not its default', () => {
    const start = startingValues([...fields, field('status', { default: 'draft' })]);
    expect(start).toEqual({ title: undefined, note: null, amount: null, is_on: null, status: 'draft' });
    expect(changesOf(fields, start, { title: 'A', note: null, is_on: false }).body).toEqual({
      title: 'A',
      is_on: false,
    });
  });

  test('of a stored record, what is another value', () => {
    const stored = { title: 'A', note: '', amount: 1.5, is_on: false };
    expect(changesOf(fields, stored, { note: '', amount: '1.50', is_on: false }).body).toEqual({});
    expect(changesOf(fields, stored, { note: null, amount: null }).body).toEqual({ note: null, amount: null });
  });

  test('a text that is no number goes as it is, so that the server refuses it with everything else', () => {
    const { body, problems } = changesOf(fields, { amount: 1 }, { amount: '1,5' });
    expect(body).toEqual({ amount: '1,5' });
    expect(problems).toEqual({ amount: 'must be a number, like 1234.5' });
  });

  test('an emptied field has no value, unless an empty text was stored', () => {
    const [title, note] = fields as [Field, Field];
    expect(emptied(note, 'x')).toBe(null);
    expect(emptied(note, '')).toBe('');
    expect(emptied(title, undefined)).toBe(undefined);
    expect(emptied(title, 'x')).toBe(null);
  });
});

describe('the broken rules that a form shows', () => {
  const ruled = (own: Partial<Resource>, isBroken: Logic['rules'][0]['isBroken'], computed: Logic['computed'] = {}) =>
    ({
      fields: [
        field('note'),
        field('late', { type: 'integer' }),
        field('is_large', { readOnly: true, isComputed: true }),
      ],
      ...own,
      logic: {
        url: '',
        name: '',
        rules: [{ that: '', message: 'broken', isBroken }],
        totals: {},
        transitions: {},
        computed,
      },
    }) as Resource;
  const shown = (...args: Parameters<typeof edit>): boolean => errorsOfRecord(edit(...args)) !== undefined;

  test('know of line items what is stored, while nothing that is computed with it changes', () => {
    const expression = 'count(order_line) > 5 && late > 0';
    const compute = ({ late }: JsonRecord, totals: Totals): boolean =>
      (totals['count(order_line)'] as number) > 5 && (late as number) > 0;
    const mustBeLarge = ruled({}, ({ is_large }) => is_large !== true, { is_large: { expression, compute } });
    const mustBeSmall = ruled({}, ({ is_large }) => is_large !== false, { is_large: { expression, compute } });
    const stored = { id: 'order_1', note: 'A', late: 1, is_large: true };
    expect(shown(draftOf(mustBeLarge, stored, []), 'note', 'B')).toBe(false);
    expect(shown(draftOf(mustBeSmall, stored, []), 'note', 'B')).toBe(true);
    expect(shown(draftOf(mustBeSmall, stored, []), 'late', '0')).toBe(false);
    expect(shown(edit(newDraft(mustBeLarge, []), 'late', '1'), 'note', 'B')).toBe(false);
  });

  test('know that a computed field has become null', () => {
    const is_large = { expression: 'late', compute: ({ late = null }: JsonRecord) => late };
    const neverLate = ruled({}, (record) => record['is_large'] !== null, { is_large });
    const draft = draftOf(neverLate, { id: 'order_1', note: 'A', late: 1, is_large: 1 }, []);
    expect(shown(draft, 'late', '2')).toBe(true);
    expect(shown(draft, 'late', null)).toBe(false);
  });

  test('leave the time of a create to the service, unless it is given', () => {
    const document = JSON.parse(readFileSync(join(testProject, 'generated/openapi.json'), 'utf8')) as OpenApi;
    const permit = readModel(document).resources.get('inspection/permit');
    const dated = ruled({ ...permit }, ({ requested_on }) => requested_on === null);
    const early = ruled({ ...permit }, ({ requested_on }) => (requested_on as string) < '2026');
    expect(shown(newDraft(dated, []), 'site', 'A')).toBe(false);
    expect(shown(newDraft(early, []), 'requested_on', '2025-12-31')).toBe(true);
    expect(shown(draftOf(dated, { id: 'permit_1', site: 'A', requested_on: null }, []), 'remarks', 'A')).toBe(true);
    // No other field is filled.
    const granted = ruled({ ...permit }, ({ granted_on }) => granted_on === null);
    expect(shown(newDraft(granted, []), 'site', 'A')).toBe(true);
  });
});

test('edits are kept over the values that another user has stored', () => {
  const fields = ['both', 'same', 'mine', 'theirs', 'back'].map((name) => field(name));
  const was = { both: 'a', same: 'a', mine: 'a', theirs: 'a', back: 'a' };
  const now = { both: 'b', same: 'c', mine: 'a', theirs: 'b', back: 'a' };
  const merged = merge(fields, was, { both: 'c', same: 'c', mine: 'c', back: 'a' }, now);
  expect(merged.edits).toEqual({ both: 'c', mine: 'c' });
  expect(merged.differences).toEqual([{ field: fields[0], theirs: 'b', mine: 'c' }]);
  expect(merged.theirs).toEqual([fields[3]]);
});

test('the sections hold every field once, those first that must be given and that lists show', () => {
  const names = ['status', 'title', 'a', 'utm_x', 'utm_y', 'utm_z', 'b', 'on_a', 'is_b', 'has_c'];
  const fields = names.map((name) =>
    field(name, { required: name === 'title', type: /^(on|is|has)_/.test(name) ? 'boolean' : 'string' }),
  );
  const sections = sectionsOf(fields, ['status']);
  expect(sections.map(({ title, fields: own }) => [title, ...own.map(({ name }) => name)])).toEqual([
    ['Main', 'title', 'status'],
    ['Details', 'a', 'b'],
    ['UTM', 'utm_x', 'utm_y', 'utm_z'],
    ['Options', 'on_a', 'is_b', 'has_c'],
  ]);
});

test('new numbers give line items the wanted order, and leave those behind them where they are', () => {
  const numbers = fc.array(fc.integer({ min: -3, max: 9 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(numbers, fc.nat(3), fc.infiniteStream(fc.nat()), (idxs, added, random) => {
      const stored = idxs
        .toSorted((a, b) => a - b)
        .map((idx, place) => ({ id: `s${place}`, position: { idx, place } }));
      let wanted: readonly { id: string; position?: { idx: number; place: number } }[] = [
        ...stored,
        ...Array.from({ length: added }, (_, at) => ({ id: `n${at}` })),
      ];
      const next = (): number => Number(random.next().value) % wanted.length;
      for (let moves = next(); moves > 0; moves--) wanted = moved(wanted, next(), next());
      const sent = new Map(renumbered(wanted).map(({ id, idx }) => [id, idx]));
      // As the service lists them: by idx, then in the order of creation.
      const last = Math.max(...idxs);
      const fresh = wanted.filter(({ position: place }) => !place).map(({ id }) => id);
      const kept = wanted.map(({ id, position: was }) => ({
        id,
        idx: sent.get(id) ?? was?.idx ?? last + 1 + fresh.indexOf(id),
        created: was?.place ?? 100 + fresh.indexOf(id),
      }));
      const listed = kept.toSorted((a, b) => a.idx - b.idx || a.created - b.created);
      expect(listed.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
      if (new Set(idxs).size === idxs.length && added === 0) {
        expect(kept.map(({ idx }) => idx).toSorted()).toEqual(idxs.toSorted());
      }
    }),
  );
});

test('a line item that was added here, stored and changed again is the stored one, not another', () => {
  const resource = { path: '/api/sales/order-line', fields: [field('article')] as readonly Field[] } as Resource;
  const stored = { id: 'order_line_1', article: 'A' };
  const current = { resource, rows: [storedRow(resource, stored, 0)], total: 1, hasMore: false };
  const row = { ...newRow(resource), base: stored, place: 0, edits: { article: 'B' } };
  expect(reconcile({ ...current, rows: [row] }, current).items.rows).toEqual([row]);
});
