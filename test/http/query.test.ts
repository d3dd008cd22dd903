import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { ApiError } from '../../runtime/kernel/model/errors.ts';
import { timestampOf } from '../../runtime/kernel/api/filters.ts';
import { readListQuery } from '../../runtime/kernel/api/query.ts';
import * as field from '../../runtime/kernel/model/fields.ts';
import { storedWords } from '../../runtime/features/search/words.ts';
import { foldText } from '../../runtime/kernel/model/fold.ts';
import { lineItem, listed, record, type Table } from '../../runtime/kernel/model/table.ts';
import type { Page } from '../../runtime/kernel/records/page.ts';
import { features } from '../../runtime/features.ts';

const parameters = features.list.flatMap((feature) => feature.parameters ?? []);

const { optional } = field;

const Ticket = z.strictObject({
  id: field.id(),
  subject: field.text({ max: 20 }),
  state: optional(field.oneOf(['open', 'closed'])),
  code: optional(field.text({ pattern: /^[A-Z]+$/u })),
  due_on: optional(field.date()),
  seen_at: optional(field.dateTime()),
  email: optional(field.email()),
  votes: optional(field.integer({ min: -5, max: 5 })),
  hours: optional(field.integer()),
  weight: optional(field.number()),
  is_urgent: field.boolean(),
  notes: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
const filter = ['subject', 'state', 'code', 'due_on', 'seen_at', 'email', 'votes', 'hours', 'weight', 'is_urgent'];
const ticket = record('ticket', Ticket, { renamedFrom: ['case'] }, [
  listed({ filter: [...filter, 'updated_at'], sort: ['due_on', 'votes', 'subject'], search: ['subject', 'notes'] }),
]);

const Part = z.strictObject({ id: field.id(), idx: field.position(), machine_id: field.text(), name: field.text() });
const part = lineItem('part', Part, { parent: { field: 'machine_id' } }, [
  listed({ filter: ['name'], sort: ['name'] }),
]);

const digits = '0'.repeat(26);
const url = (query: string): string => `http://localhost/api/x?${query}`;
const read = (query: string, table: Table = ticket): Page => readListQuery(url(query), table, parameters);

/** The one condition of a query. */
function conditionOf(query: string): unknown {
  const { filter: conditions = [] } = read(query);
  expect(conditions).toHaveLength(1);
  const [{ column, operator, values }] = conditions as [NonNullable<Page['filter']>[number]];
  return [column, operator, ...values];
}

function refusalOf(query: string, table: Table = ticket): string {
  try {
    read(query, table);
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    const { code, message } = error as ApiError;
    expect(code).toBe('invalid_query');
    return message;
  }
  throw new Error(`${query} was accepted.`);
}

describe('filters', () => {
  test.each([
    ['subject=a', ['subject', 'eq', 'a']],
    ['subject=', ['subject', 'eq', '']],
    ['subject', ['subject', 'eq', '']],
    ['subject=a+b%2Bc%26', ['subject', 'eq', 'a b+c&']],
    ['subject=a=b', ['subject', 'eq', 'a=b']],
    ['subject=%F0%9F%99%82', ['subject', 'eq', '🙂']],
    ['subject%5Bne%5D=a', ['subject', 'ne', 'a']],
    ['subject[gt]=a', ['subject', 'gt', 'a']],
    ['subject[gte]=a', ['subject', 'gte', 'a']],
    ['subject[lt]=a', ['subject', 'lt', 'a']],
    ['subject[lte]=a', ['subject', 'lte', 'a']],
    ['subject[null]=true', ['subject', 'null', true]],
    ['subject[null]=false', ['subject', 'null', false]],
    ['subject[prefix]=Inv', ['subject', 'prefix', 'Inv']],
    ['subject[prefix]=', ['subject', 'prefix', '']],
    [`subject[prefix]=${'x'.repeat(50)}`, ['subject', 'prefix', 'x'.repeat(50)]],
    ['code[prefix]=a1', ['code', 'prefix', 'a1']],
    // Older records may have values that the field refuses now.
    [`subject=${'x'.repeat(50)}`, ['subject', 'eq', 'x'.repeat(50)]],
    ['code=a1', ['code', 'eq', 'a1']],
    ['email=ann', ['email', 'eq', 'ann']],
    ['state=opened', ['state', 'eq', 'opened']],
    ['state[gt]=a', ['state', 'gt', 'a']],
    ['state[in]=open,gone', ['state', 'in', 'open', 'gone']],
    ['votes=600', ['votes', 'eq', 600]],
    ['email[prefix]=ann', ['email', 'prefix', 'ann']],
    ['state=open', ['state', 'eq', 'open']],
    ['state[prefix]=o', ['state', 'prefix', 'o']],
    ['subject[in]=a,b', ['subject', 'in', 'a', 'b']],
    ['subject[in]=', ['subject', 'in', '']],
    ['subject[in]=a&subject[in]=b', ['subject', 'in', 'a', 'b']],
    ['subject[in]=a,b&subject[in]=c', ['subject', 'in', 'a,b', 'c']],
    [String.raw`subject[in]=a\,b,c\d\\&subject%5Bin%5D=`, ['subject', 'in', String.raw`a\,b,c\d\\`, '']],
    ['votes[in]=1&votes[in]=2&votes[in]=4', ['votes', 'in', 1, 2, 4]],
    ['subject[in]=,', ['subject', 'in', '', '']],
    ['subject[in]=a,', ['subject', 'in', 'a', '']],
    [String.raw`subject[in]=a\,b,c\\,d`, ['subject', 'in', 'a,b', 'c\\', 'd']],
    [String.raw`subject[in]=\\\,`, ['subject', 'in', '\\,']],
    [`subject[in]=${Array(100).fill('a').join()}`, ['subject', 'in', ...Array<string>(100).fill('a')]],
    [String.raw`subject=a\,b`, ['subject', 'eq', String.raw`a\,b`]],
    ['votes=5', ['votes', 'eq', 5]],
    ['votes=-5', ['votes', 'eq', -5]],
    ['votes=-0', ['votes', 'eq', 0]],
    ['votes[in]=1,2', ['votes', 'in', 1, 2]],
    ['hours=9007199254740991', ['hours', 'eq', Number.MAX_SAFE_INTEGER]],
    ['hours[lt]=007', ['hours', 'lt', 7]],
    ['weight[gt]=1e3', ['weight', 'gt', 1000]],
    ['weight=-1.5E-2', ['weight', 'eq', -0.015]],
    ['weight=1e%2B2', ['weight', 'eq', 100]],
    ['weight=-0', ['weight', 'eq', 0]],
    ['weight=1e-999', ['weight', 'eq', 0]],
    ['is_urgent=true', ['is_urgent', 'eq', true]],
    ['is_urgent[ne]=false', ['is_urgent', 'ne', false]],
    ['is_urgent[in]=true,false', ['is_urgent', 'in', true, false]],
    ['due_on[gte]=2024-02-29', ['due_on', 'gte', '2024-02-29']],
    ['seen_at[lt]=2024-02-29T12:00:00%2B01:00', ['seen_at', 'lt', '2024-02-29T11:00:00.000Z']],
    ['seen_at=2024-02-29T12:00:00.1239Z', ['seen_at', 'eq', '2024-02-29T12:00:00.123Z']],
    [`id=ticket_${digits}`, ['id', 'eq', `ticket_${digits}`]],
    [`id[in]=ticket_${digits},case_${digits}`, ['id', 'in', `ticket_${digits}`, `case_${digits}`]],
    ['created_at[lt]=2024-02-29T12:00:00%2B01:00', ['created_at', 'lt', '2024-02-29T11:00:00.000Z']],
    ['updated_at[null]=false', ['updated_at', 'null', false]],
    ['updated_at[ne]=2024-02-29T12:00:00Z', ['updated_at', 'ne', '2024-02-29T12:00:00.000Z']],
  ])('%s', (query, condition) => {
    expect(conditionOf(query)).toEqual(condition);
  });

  test('several parameters are all conditions, and do not change the page', () => {
    expect(read('limit=5&due_on[gte]=2024-01-01&after=case_' + digits + '&due_on[lt]=2025-01-01&state=open')).toEqual({
      limit: 5,
      offset: 0,
      after: `case_${digits}`,
      filter: [
        { column: 'due_on', operator: 'gte', values: ['2024-01-01'] },
        { column: 'due_on', operator: 'lt', values: ['2025-01-01'] },
        { column: 'state', operator: 'eq', values: ['open'] },
      ],
    });
    expect(read('machine_id=x'.replace('machine', 'parent') + '&name[ne]=a', part)).toEqual({
      limit: 20,
      offset: 0,
      where: { machine_id: 'x' },
      filter: [{ column: 'name', operator: 'ne', values: ['a'] }],
    });
    expect(read('&&offset=007&')).toEqual({ limit: 20, offset: 7 });
  });
});

describe('created_at is compared as an instant', () => {
  test.each([
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000Z'],
    ['2024-02-29t12:00:00z', '2024-02-29T12:00:00.000Z'],
    ['2024-02-29T12:00:00.5-02:30', '2024-02-29T14:30:00.500Z'],
    ['2024-02-29T12:00:00.12300Z', '2024-02-29T12:00:00.123Z'],
    ['0000-01-01T00:00:00+00:00', '0000-01-01T00:00:00.000Z'],
  ])('%s', (written, timestamp) => {
    expect(timestampOf(written)).toBe(timestamp);
  });

  test('also within a millisecond, where no record is', () => {
    const within = timestampOf('2024-02-29T12:00:00.0005Z');
    expect(within > '2024-02-29T12:00:00.000Z').toBe(true);
    expect(within < '2024-02-29T12:00:00.001Z').toBe(true);
    expect(within < timestampOf('2024-02-29T12:00:00.00051Z')).toBe(true);
  });
});

describe('sort', () => {
  test.each([
    ['due_on', [{ column: 'due_on', isDescending: false }]],
    ['-created_at', [{ column: 'created_at', isDescending: true }]],
    ['id', [{ column: 'id', isDescending: false }]],
    [
      'votes&sort=-id',
      [
        { column: 'votes', isDescending: false },
        { column: 'id', isDescending: true },
      ],
    ],
    [
      '-due_on,votes,-subject',
      [
        { column: 'due_on', isDescending: true },
        { column: 'votes', isDescending: false },
        { column: 'subject', isDescending: true },
      ],
    ],
  ])('%s', (sort, keys) => {
    expect(read(`sort=${sort}`)).toEqual({ limit: 20, offset: 0, sort: keys });
  });
});

const fold = (text: string, maxLength?: number): string[] => [...storedWords(text, maxLength)];

describe('search', () => {
  test.each([
    ['Zo%C3%AB+B%C3%84R', ['zoe', 'bar']],
    ['a-b_c.d', ['a', 'b', 'c', 'd']],
    ['%EF%AC%81ne', ['fine']],
    ['%CE%A3%CE%99%CE%A3', ['σισ']],
    ['%D9%A3%D9%A4+%E6%97%A5%E6%9C%AC', ['٣٤', '日本']],
    [encodeURIComponent('𝐱'.repeat(200)), ['x'.repeat(200)]],
    ['1+2+3+4+5+6+7+8+9+10', ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']],
  ])('%s', (q, words) => {
    expect(read(`q=${q}`).search).toEqual(words);
  });

  test.each([
    ['Straße STRASSE straẞe', 'strasse strasse strasse'],
    ['Łódź Søren Đà Nẵng ðæœþ ÐÆŒÞ', 'lodz soren da nang daeoeth daeoeth'],
    ['Isparta ISPARTA ısparta İsparta', 'isparta isparta isparta isparta'],
    ['ΌΔΟΣ Ёлка ᲀ שָׁלוֹם العَرَبِيَّة', 'οδοσ елка в שלום العربية'],
    ['ﬁne ﬃx Ⅳ ½ ① ² ﾊﾟ', 'fine ffix iv 1⁄2 1 2 パ'],
    ['パ が क़ กิน ກິນ ខ្មែរ မြန်မာ བོད 한국어', 'パ が क़ กิน ກິນ ខ្មែរ မြန်မာ བོད 한국어'],
  ])('%s is folded', (text, folded) => {
    expect(foldText(text)).toBe(folded.normalize('NFC'));
  });

  test('texts that only differ in case, or in how they are encoded, are folded to the same, once and for all', () => {
    const unit = fc.oneof(fc.string({ unit: 'binary', maxLength: 3 }), fc.constantFrom('ﾞ', '\u0e34', 'か', 'ß', 'Σ'));
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
        const text = units.join('');
        const folded = foldText(text);
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) expect(foldText(text.normalize(form))).toBe(folded);
        for (const other of [text.toUpperCase(), text.toLowerCase()]) expect(foldText(other)).toBe(folded);
        expect(foldText(folded)).toBe(folded);
        for (const word of fold(text)) expect(word).toMatch(/^[\p{L}\p{M}\p{Nd}]+$/u);
      }),
    );
  });

  test('a word of a script without spaces begins at each letter', () => {
    expect(fold('iPhone手机壳 2024年')).toEqual(['iphone', '手机壳', '机壳', '壳', '2024', '年']);
    expect(fold('𠜎𠜱日本')).toEqual(['𠜎𠜱日', '𠜱日本', '日本', '本']);
    for (const [q, beginnings] of [
      ['腾', ['腾']],
      ['腾讯', ['腾讯']],
      ['腾讯云', ['腾讯云']],
      ['x腾讯云计', ['x', '腾讯云', '讯云计']],
      ['กินข้าว', ['กิน', 'ินข', 'นข้', 'ข้า', '้าว']],
    ] as const) {
      expect(read(`q=${encodeURIComponent(q)}`).search).toEqual(beginnings);
    }
  });

  test.each([
    ['accents', '\u0315\u0300'],
    ['marks that stay', '\u0e48\u3099'],
    ['letters that become marks', '\u0e48\uff9e'],
  ])('a letter with 8,000 %s takes no longer than one with few', (_, pair) => {
    const marked = (marks: number): number => {
      const text = `a${pair.repeat(marks / 2)}`.repeat(64_000 / marks);
      const times = Array.from({ length: 3 }, () => {
        const start = performance.now();
        fold(text);
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    // Sorting the marks takes hundreds of times as long.
    expect(marked(8_000)).toBeLessThan(20 * marked(8));
  });

  test.each([999, 1_000, 1_001, 1_999, 2_000])('no word is divided after %i characters', (length) => {
    const text = `${'·'.repeat(length - 3)}ÄbÇ𝐃É${'·'.repeat(length - 3)}ΣΑΣ`;
    expect(fold(text)).toEqual(['abcde', 'σασ']);
  });

  test('a text that folds to a longer one is read only as far as needed', () => {
    const words = fold('\ufdfa '.repeat(50_000), 10_000);
    expect(words.join(' ').length).toBeGreaterThan(9_000);
    expect(words.join(' ').length).toBeLessThan(30_000);
  });

  test('long words are cut at 200 characters, and none within a character', () => {
    expect(fold(`${'a'.repeat(201)} ${'𐐨'.repeat(300)}`)).toEqual(['a'.repeat(200), '𐐨'.repeat(200)]);
  });
});

const declared =
  '"id", "subject", "state", "code", "due_on", "seen_at", "email", "votes", "hours", "weight", "is_urgent"';

/** The query, the parameter that its error names, and words of it. */
const refusals: readonly (readonly [query: string, parameter: string, words: string])[] = [
  // Names.
  ['limt=1', 'limt', 'is unknown; did you mean "limit"?'],
  ['stat=open', 'stat', 'is unknown; did you mean "state"?'],
  ['stat[ne]=open', 'stat[ne]', 'is unknown; did you mean "state"?'],
  ['limit[]=1', 'limit[]', 'did you mean "limit"?'],
  ['limit[gt]=1', 'limit[gt]', 'did you mean "limit"?'],
  ['nonsense=1', 'nonsense', 'Known are "limit", "offset", "after", "sort", "q"'],
  ['Q=word', 'Q', 'is unknown. Known are "limit"'],
  ['=1', '', 'is unknown'],
  ['[gt]=1', '[gt]', 'is unknown'],
  ['__proto__=1', '__proto__', 'is unknown'],
  ['constructor[ne]=1', 'constructor[ne]', 'is unknown'],
  ['notes=a', 'notes', `filters by a field that is not declared for it. Declared are ${declared}`],
  ['notes[prefix]=a', 'notes[prefix]', `Declared are ${declared}`],
  ['state=open&state=open', 'state', 'is given more than once.'],
  ['state=open&st%61te=open', 'state', 'is given more than once.'],
  ['limit=1&limit=1', 'limit', 'is given more than once.'],
  // Forms.
  ['state[nee]=open', 'state[nee]', 'has an unknown form. Known are "state", "state[ne]", "state[in]"'],
  ['state[]=open', 'state[]', 'has an unknown form'],
  ['state[eq]=open', 'state[eq]', 'has an unknown form'],
  ['state[like]=o', 'state[like]', 'Known are "state", "state[ne]", "state[in]", "state[null]", "state[gt]"'],
  ['state[ne][ne]=open', 'state[ne][ne]', 'has an unknown form'],
  ['state]=open', 'state]', 'is unknown; did you mean "state"?'],
  ['votes[prefix]=1', 'votes[prefix]', 'has an unknown form. Known are "votes", "votes[ne]"'],
  ['weight[prefix]=1', 'weight[prefix]', 'has an unknown form'],
  ['due_on[prefix]=2024', 'due_on[prefix]', 'has an unknown form'],
  ['seen_at[prefix]=2024', 'seen_at[prefix]', 'has an unknown form'],
  [
    'is_urgent[gt]=false',
    'is_urgent[gt]',
    'Known are "is_urgent", "is_urgent[ne]", "is_urgent[in]", "is_urgent[null]".',
  ],
  ['is_urgent[prefix]=t', 'is_urgent[prefix]', 'has an unknown form'],
  ['id[ne]=x', 'id[ne]', 'has an unknown form. Known are "id", "id[in]", "id[gt]"'],
  ['id[null]=true', 'id[null]', 'has an unknown form'],
  ['id[prefix]=x', 'id[prefix]', 'has an unknown form'],
  ['created_at[ne]=x', 'created_at[ne]', 'has an unknown form'],
  ['created_at[null]=x', 'created_at[null]', 'has an unknown form'],
  ['created_at[prefix]=2024', 'created_at[prefix]', 'has an unknown form'],
  ['updated_at[prefix]=2024', 'updated_at[prefix]', 'has an unknown form'],
  // Values.
  ['updated_at=now', 'updated_at', 'must be a date and time'],
  ['subject=%00', 'subject', 'must not contain U+0000'],
  ['subject[prefix]=%00', 'subject[prefix]', 'must not contain U+0000'],
  ['due_on=2023-02-29', 'due_on', 'must be a real date, written YYYY-MM-DD'],
  ['due_on=', 'due_on', 'must be a real date'],
  ['due_on=2024-1-1', 'due_on', 'must be a real date'],
  ['seen_at=2024-01-01', 'seen_at', 'must be a date and time'],
  ['seen_at=2024-01-01T00:00:00+01:00', 'seen_at', 'a plus sign is written %2B'],
  ['created_at[gt]=2024-01-01', 'created_at[gt]', 'must be a date and time, written YYYY-MM-DDTHH:mm:ssZ'],
  ['seen_at=2024-01-01T23:59:60Z', 'seen_at', 'must be a date and time'],
  ['seen_at=9999-12-31T23:59:59-00:01', 'seen_at', 'must be a date and time'],
  ['created_at=0000-01-01T00:00:00%2B00:01', 'created_at', 'must be a date and time'],
  ['created_at=2024-01-01T00:00:00+01:00', 'created_at', 'a plus sign is written %2B'],
  ['id=x', 'id', 'must be an id of this list: "ticket_" or "case_" and 26 digits of base 32'],
  [
    `id[in]=ticket_${digits},part_${digits}`,
    'id[in]',
    `has the value "part_${digits}", which must be an id of this list`,
  ],
  ['hours=9007199254740992', 'hours', 'must be an integer between -(2^53 - 1) and 2^53 - 1'],
  ...['', '1.0', '1e2', '%2B1', '+1', '0x10', '１', '--1', 'NaN', '1_000', ' 1', '1%0A'].map(
    (value) => [`hours=${value}`, 'hours', 'must be an integer, in decimal digits'] as const,
  ),
  ...['', '.5', '5.', '01', '1e', '%2B1', 'Infinity', 'NaN', '0x10', '1,5', '- 1', '1%0A'].map(
    (value) => [`weight=${value}`, 'weight', 'must be a number as in JSON'] as const,
  ),
  ['weight=1e999', 'weight', 'is too large for a number'],
  ['weight=1e+2', 'weight', 'a plus sign is written %2B'],
  ...['', '1', 'TRUE', 'yes', 'null', '__proto__', 'toString'].flatMap((value) => [
    [`is_urgent=${value}`, 'is_urgent', 'must be true or false'] as const,
    [`state[null]=${value}`, 'state[null]', 'must be true or false'] as const,
  ]),
  ['votes[in]=', 'votes[in]', 'has the value "", which must be an integer'],
  ['votes[in]=1,x,3', 'votes[in]', 'has the value "x", which must be an integer'],
  ['votes[in]=1&votes[in]=2,3', 'votes[in]', 'has the value "2,3", which must be an integer'],
  [Array(101).fill('subject[in]=a').join('&'), 'subject[in]', 'must have at most 100 values'],
  [
    String.raw`subject[in]=a\b`,
    'subject[in]',
    String.raw`has an unknown escape: "\," is a comma in a value, and "\\" a backslash`,
  ],
  ['subject[in]=a\\', 'subject[in]', 'has an unknown escape'],
  [`subject[in]=a\\${encodeURIComponent('🙂')}`, 'subject[in]', 'has an unknown escape'],
  [`subject[in]=${Array(101).fill('a').join()}`, 'subject[in]', 'must have at most 100 values'],
  ['subject=%FF', 'subject', 'is not UTF-8 in percent-encoding'],
  ['subject=%ED%A0%80', 'subject', 'is not UTF-8 in percent-encoding'],
  ['subject=%C0%80', 'subject', 'is not UTF-8 in percent-encoding'],
  ['subject=%', 'subject', 'is not UTF-8 in percent-encoding'],
  ['%FF=1', '%FF', 'is not UTF-8 in percent-encoding'],
  // The order.
  [
    'sort=',
    'sort',
    'must name 1 to 3 fields, separated by commas; those declared for it are "id", "created_at", "due_on"',
  ],
  ['sort=due_on,votes,subject,id', 'sort', 'must name 1 to 3 fields'],
  ['sort=due', 'sort', 'names "due", which is not declared for it'],
  ['sort=vote', 'sort', 'did you mean "votes"? Declared are "id", "created_at", "due_on", "votes", "subject".'],
  ['sort=state', 'sort', 'names "state", which is not declared for it'],
  ['sort=--votes', 'sort', 'names "-votes", which is not declared for it; did you mean "votes"?'],
  ['sort=+votes', 'sort', 'names " votes"'],
  ['sort=votes,', 'sort', 'names "", which is not declared for it'],
  ['sort=votes,-votes', 'sort', 'names "votes" more than once'],
  ['sort=votes&sort=due_on,subject', 'sort', 'names "due_on,subject", which is not declared for it'],
  // The search.
  ['q=', 'q', 'must be 1 to 200 characters long'],
  [`q=${'a'.repeat(201)}`, 'q', 'must be 1 to 200 characters long'],
  ['q=-+!%F0%9F%99%82', 'q', 'has no word'],
  ['q=%CC%81', 'q', 'has no word'],
  ['q=1+2+3+4+5+6+7+8+9+10+11', 'q', 'must have at most 10 words'],
  ['q=a&q=b', 'q', 'more than once'],
  ['q[prefix]=a', 'q[prefix]', 'did you mean "q"?'],
  ['q=%FF', 'q', 'is not UTF-8 in percent-encoding'],
  // The page.
  ['limit=0', 'limit', 'must be an integer from 1 to 1000'],
  ['offset=-1', 'offset', 'must be an integer from 0'],
  ['after=x', 'after', 'must be an id of this list: "ticket_" or "case_" and 26 digits of base 32'],
  [`after=ticket_${digits}&offset=1`, 'after', 'cannot be combined with an "offset" other than 0'],
];

describe('a query is refused', () => {
  test.each(refusals)('%s', (query, parameter, words) => {
    const message = refusalOf(query);
    expect(message).toContain(`The query parameter ${JSON.stringify(parameter)} `);
    expect(message).toContain(words);
    // One sentence for each error, or two: what is wrong, and what is known.
    expect(message).toMatch(/[.?]$/);
    expect(message).not.toMatch(/\.\.|undefined|\? *\./);
  });

  test('with line items: parent_id is required, they have no timestamps, and nothing is searched', () => {
    expect(refusalOf('', part)).toBe('The query parameter "parent_id" is required.');
    expect(refusalOf('parent_id=x&sort=created_at', part)).toContain('Declared are "id", "name".');
    expect(refusalOf('parent_id=x&q=a', part)).toContain(
      'The query parameter "q" is unknown. Known are "parent_id", "limit"',
    );
    expect(refusalOf('parent_id=x&parent_id[ne]=y', part)).toContain('did you mean "parent_id"?');
  });

  test('with all of its errors, of which ten are named', () => {
    const message = refusalOf('limit=0&nonsense=1&due_on=x&sort=nothing');
    for (const name of ['limit', 'nonsense', 'due_on', 'sort']) expect(message).toContain(`"${name}"`);
    const many = refusalOf(Array.from({ length: 4000 }, (_, index) => `x${index}`).join('&'));
    expect(many.match(/The query parameter/g)).toHaveLength(10);
    expect(many).toMatch(/There are 3990 more errors\.$/);
    expect(refusalOf(Array.from({ length: 11 }, (_, index) => `x${index}`).join('&'))).toMatch(
      /There is 1 more error\.$/,
    );
  });

  test('long names and values are shortened', () => {
    expect(refusalOf(`${'x'.repeat(4000)}=1`).length).toBeLessThan(1000);
    expect(refusalOf(`sort=${'x'.repeat(4000)}`).length).toBeLessThan(1000);
    expect(refusalOf(`votes[in]=${'x'.repeat(4000)}`).length).toBeLessThan(1000);
  });
});

describe('any query is read or refused', () => {
  const name = fc.oneof(
    fc.constantFrom(...filter, 'id', 'created_at', 'limit', 'offset', 'after', 'sort', 'q', 'notes'),
    fc.string(),
  );
  const form = fc.oneof(fc.constantFrom('', '[ne]', '[in]', '[null]', '[gt]', '[prefix]'), fc.string());
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('true', '1', '2024-02-29', 'due_on', '1e5', '2024-02-29T12:00:00Z', 'a,b\\,c\\\\', 'open'),
    fc.constantFrom(',', '\\', 'a ', '%', '(', '\u0301').map((one) => one.repeat(3000)),
  );
  const written = fc.oneof(
    fc
      .tuple(name, form, value)
      .map(
        ([one, two, three]) =>
          `${encodeURIComponent(one.toWellFormed() + two.toWellFormed())}=${encodeURIComponent(three.toWellFormed())}`,
      ),
    fc.tuple(name, form, value).map(([one, two, three]) => `${one}${two}=${three}`),
  );

  test('and what is read has values of its columns alone', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 6 }), (parts) => {
        const query = parts.join('&');
        let page: Page;
        try {
          page = read(query);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
          expect((error as ApiError).message.length).toBeLessThan(5000);
          return;
        }
        for (const { column, operator, values } of page.filter ?? []) {
          const { type } = ticket.columns.find((one) => one.name === column)!;
          const types = {
            text: 'string',
            bigint: 'number',
            'double precision': 'number',
            decimal: 'string',
            boolean: 'boolean',
            json: 'string',
          } as const;
          for (const one of values) expect(typeof one).toBe(operator === 'null' ? 'boolean' : types[type]);
          expect(values.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('`in` takes every list of strings, escaped', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 10 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(texts, (values) => {
        const escaped = values.map((one) => one.replace(/[,\\]/g, '\\$&')).join(',');
        expect(read(`subject[in]=${encodeURIComponent(escaped)}`).filter?.[0]?.values).toEqual(values);
      }),
    );
  });
});
