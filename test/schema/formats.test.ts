import { describe, expect, test } from 'vitest';
import { camelCase } from '../../generator/model/names.ts';
import * as field from '../../runtime/kernel/model/fields.ts';
import { type Format, formats } from '../../runtime/kernel/model/formats.ts';
import { threadTime } from '../support/thread-time.ts';

const long = (length: number): string => 'a'.repeat(length);

/** A string that a format accepts; with the one that is stored of it, if that is another one. */
type Accepted = string | readonly [sent: string, stored: string];

/** Strings that each format accepts, and strings that it refuses: by the pattern that OpenAPI shows, and by more. */
const samples: {
  readonly [F in Format]?: readonly [
    accepted: readonly Accepted[],
    refused: readonly string[],
    otherwise?: readonly string[],
  ];
} = {
  date: [
    ['2024-02-29', '0001-01-01'],
    ['2023-02-29', '2024-13-01', '2024-1-1', '20240101', '2024-02-29 ', ''],
  ],
  'date-time': [
    [
      ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000Z'],
      ['1990-12-31t23:59:59z', '1990-12-31T23:59:59.000Z'],
      ['2024-02-29T02:00:00.5+05:30', '2024-02-28T20:30:00.500Z'],
      ['2024-02-29T12:00:00.123999999-00:00', '2024-02-29T12:00:00.123Z'],
      ['0000-01-01T00:00:00-23:59', '0000-01-01T23:59:00.000Z'],
      ['9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59.999Z'],
    ],
    [
      '1990-12-31T23:59:60Z',
      '2024-02-29T12:00:00.1234567890Z',
      '2024-02-29T12:00:00.Z',
      '2024-02-29T12:00:00',
      '2024-02-29',
      '2024-02-29T12:00:00Z\n',
    ],
    [
      '2024-02-29T24:00:00Z',
      '2024-02-29T12:00:00+24:00',
      '2024-02-29 12:00:00Z',
      '2024-02-29T12:00Z',
      '2023-02-29T12:00:00Z',
      '0000-01-01T00:00:00+00:01',
      '9999-12-31T23:59:00-00:01',
    ],
  ],
  time: [
    ['08:30:06Z', '08:30:06z', '23:59:60Z', '23:20:50.52Z', '08:30:06+00:20', '00:00:00-23:59'],
    ['08:30:06', '08:30Z', '8:30:06Z', '24:00:00Z', '08:60:00Z', '08:30:61Z', '08:30:06+24:00', '08:30:06Z\n', ''],
  ],
  uuid: [
    [
      '9f86d081-884c-4d65-9a2f-eaa0c55ad015',
      '2EB8AA08-AA98-11EA-B4AA-73B441D16380',
      '99c17cbb-656f-f64a-940f-1a4d9a1d7487',
      '00000000-0000-0000-0000-000000000000',
    ],
    [
      '9f86d081884c4d659a2feaa0c55ad015',
      '9f86d081-884c-4d65-9a2f-eaa0c55ad01',
      '9f86d081-884c-4d65-9a2f-eaa0c55ad01g',
      '9f86d-0818-84c4d65-9a2f-eaa0c55ad015',
      '{9f86d081-884c-4d65-9a2f-eaa0c55ad015}',
      'urn:uuid:9f86d081-884c-4d65-9a2f-eaa0c55ad015',
      '9f86d081-884c-4d65-9a2f-eaa0c55ad015\n',
    ],
  ],
  email: [
    ['name@example.com', "o'neil+work@a-b.example", 'a.b@localhost', '!#$%&*/=?^_`{|}~-@1.2', `${long(64)}@b.example`],
    [
      'name',
      '@example.com',
      'name@',
      '.name@example.com',
      'name.@example.com',
      'a..b@example.com',
      'a b@example.com',
      '"a b"@example.com',
      'a@b@example.com',
      'a@-b.example',
      'a@b-.example',
      'a@b_c.example',
      'a@b..example',
      'a@[127.0.0.1]',
      'ä@example.com',
      'name@example.com\n',
      `${long(65)}@b.example`,
      `a@${long(64)}.example`,
      `a@${'b.'.repeat(126)}c`,
    ],
  ],
  uri: [
    [
      'https://example.com/path?q=1#part',
      'http://user:secret@[2001:db8::7]:8080/a//b',
      'http://[::ffff:192.0.2.1]',
      'http://[v1.a:b]/',
      'mailto:name@example.com',
      'urn:isbn:9780131103627',
      'tel:+1-816-555-1212',
      'file:///etc/hosts',
      'a:',
      "x-y.z+1:/~_!$&'()*+,;=:@%20",
    ],
    [
      'example.com',
      '/path',
      '//example.com/path',
      '1a:b',
      ':a',
      'http://a b',
      'http://example.com/ä',
      'http://example.com/<>',
      'http://example.com/%zz',
      'http://example.com/a#b#c',
      'http://[::1',
      'http://[1::2::3]/',
      'http://[fe80::1%25eth0]/',
      'http://example.com:8x/',
      'http:\\\\example.com',
      'http://example.com/\n',
      `http://${long(65_536)}`,
    ],
  ],
};

const helpers: Readonly<Record<string, unknown>> = field;

const sentOf = (accepted: Accepted): string => [accepted].flat()[0] as string;

describe.each(Object.entries(samples))('%s', (name, [accepted, refused, otherwise = []]) => {
  const format = name as Format;
  const helper = (helpers[camelCase(format)] as typeof field.date)();

  test.each(accepted.map((one) => [sentOf(one), [one].flat().at(-1)]))('accepts %j, and stores %j', (sent, stored) => {
    expect(helper.parse(sent)).toBe(stored);
    expect(helper.parse(stored)).toBe(stored);
  });

  test.each([...refused, ...otherwise].map((value) => [value.slice(0, 80), value]))('refuses %j', (_, value) => {
    const { code, words } = formats[format];
    expect(helper.safeParse(value).error?.issues).toMatchObject([{ params: { code, message: `must be ${words}` } }]);
  });

  test('the pattern and the length that OpenAPI shows say the same', () => {
    const { limits } = formats[format] as { limits?: { maxLength?: number; pattern?: string } };
    if (limits?.pattern === undefined) return;
    const fits = (value: string): boolean =>
      new RegExp(limits.pattern ?? '', 'u').test(value) && value.length <= (limits.maxLength ?? Infinity);
    for (const value of accepted.map(sentOf)) expect(fits(value), value).toBe(true);
    for (const value of refused) expect(fits(value), value).toBe(false);
  });
});

test.each<[Format, string]>([
  ['email', `${'a.'.repeat(500_000)}@`],
  ['email', `a@${'a-'.repeat(500_000)}_`],
  ['uri', `http://${':'.repeat(600_000)}"`],
  ['uri', `a:${'%41'.repeat(200_000)}%`],
  ['time', `12:00:00.${'1'.repeat(1_000_000)}`],
])('%s takes linear time where a long string nearly fits', (format, value) => {
  const start = threadTime();
  expect(formats[format].accepts(value)).toBe(false);
  // Quadratic time would be minutes.
  expect(threadTime() - start).toBeLessThan(5_000);
});
