/** A record of the rules below, as its JSON has it. */
export interface Sample {
  readonly a: number;
  readonly b: number;
  readonly m: number | null;
  readonly x: number;
  readonly y: number;
  readonly z: number | null;
  readonly p: string;
  readonly q: string;
  readonly d: string | null;
  readonly s: string;
  readonly t: string | null;
  readonly e: 'draft' | 'open' | 'done';
  readonly e2: 'draft' | 'open' | 'done' | null;
  readonly f: boolean;
  readonly g: boolean;
  readonly h: boolean | null;
  readonly day: string;
  readonly until: string | null;
  readonly at: string;
  readonly end: string | null;
  readonly tags: readonly string[];
  readonly sizes: readonly number[] | null;
}

/** The fields of such a record in a spec. */
export const sampleFields = `
  a: { type: integer, required: true }
  b: { type: integer, required: true }
  m: integer
  x: { type: number, required: true }
  y: { type: number, required: true }
  z: number
  p: { type: decimal, digits: 12, scale: 2, required: true }
  q: { type: decimal, digits: 12, scale: 2, required: true }
  d: { type: decimal, digits: 12, scale: 3 }
  s: { max_length: 100, required: true }
  t: { max_length: 100 }
  e: { enum: [draft, open, done], required: true }
  e2: { enum: [draft, open, done] }
  f: { type: boolean, required: true }
  g: { type: boolean, required: true }
  h: boolean
  day: { format: date, required: true }
  until: { format: date }
  at: { format: date-time, required: true }
  end: { format: date-time }
  tags: { type: list, of: { max_length: 40 }, default: [], nullable: false }
  sizes: { type: list, of: integer }`;

const ms = (time: string): number => Date.parse(time);
const days = (count: number): number => count * 86_400_000;
const isSafe = Number.isSafeInteger;
/** Thousandths, of decimals that are small enough to be exact. */
const milli = (value: string): number => Math.round(Number(value) * 1000);
const letters = (text: string): number => Array.from(text).length;
const dayOf = (time: string): string => new Date(time).toISOString().slice(0, 10);
const plusDays = (day: string, count: number): string => dayOf(new Date(ms(day) + days(count)).toISOString());
/** Cents, rounded half away from zero, of a number of millionths. */
const cents = (millionths: number): number =>
  Math.sign(millionths) * Math.floor((Math.abs(millionths) + 5000) / 10_000);

/** Conditions, and what they mean, written independently; one whose arithmetic fails does not hold. */
export const rows: readonly (readonly [that: string, holds: (sample: Sample, now: string) => boolean])[] = [
  // Comparisons of every type
  ['a == b', ({ a, b }) => a === b],
  ['a != b', ({ a, b }) => a !== b],
  ['a < b', ({ a, b }) => a < b],
  ['a <= b', ({ a, b }) => a <= b],
  ['a > b', ({ a, b }) => a > b],
  ['a >= b', ({ a, b }) => a >= b],
  ['a == m', ({ a, m }) => m !== null && a === m],
  ['m != 3', ({ m }) => m === null || m !== 3],
  ['x < y', ({ x, y }) => x < y],
  ['x >= 1.5', ({ x }) => x >= 1.5],
  ['a < x', ({ a, x }) => a < x],
  ['z == x', ({ z, x }) => z === x],
  ['p == q', ({ p, q }) => milli(p) === milli(q)],
  ['p < q', ({ p, q }) => milli(p) < milli(q)],
  ['p >= 12.5', ({ p }) => milli(p) >= 12_500],
  ['p != 0', ({ p }) => milli(p) !== 0],
  ['p == a', ({ p, a }) => Number(p) === a],
  ['d == p', ({ d, p }) => d !== null && milli(d) === milli(p)],
  ['d == -1.5', ({ d }) => d !== null && milli(d) === -1500],
  ['s == "abc"', ({ s }) => s === 'abc'],
  ['s == t', ({ s, t }) => s === t],
  ['s < "b"', ({ s }) => Buffer.compare(Buffer.from(s), Buffer.from('b')) < 0],
  ['s >= "é"', ({ s }) => Buffer.compare(Buffer.from(s), Buffer.from('é')) >= 0],
  ['s < "\\uffee"', ({ s }) => Buffer.compare(Buffer.from(s), Buffer.from('\uffee')) < 0],
  ['e == "draft"', ({ e }) => e === 'draft'],
  ['e != e2', ({ e, e2 }) => e !== e2],
  ['f == g', ({ f, g }) => f === g],
  ['h == true', ({ h }) => h === true],
  ['h != false', ({ h }) => h !== false],
  ['day == until', ({ day, until }) => day === until],
  ['day < date("2026-03-01")', ({ day }) => ms(day) < ms('2026-03-01')],
  ['at <= timestamp("2026-03-01T12:00:00+01:00")', ({ at }) => ms(at) <= ms('2026-03-01T11:00:00Z')],
  ['end == at', ({ end, at }) => end !== null && ms(end) === ms(at)],
  // Null
  ['m == p', ({ m, p }) => m !== null && m * 1000 === milli(p)],
  ['d != m', ({ d, m }) => (d === null || m === null ? d !== m : m * 1000 !== milli(d))],
  ['(f ? p : m) == null', ({ f, m }) => !f && m === null],
  ['m == null', ({ m }) => m === null],
  ['t != null', ({ t }) => t !== null],
  ['null == until', ({ until }) => until === null],
  ['m == null || m > 3', ({ m }) => m === null || m > 3],
  ['m != null && m > 3', ({ m }) => m !== null && m > 3],
  ['!(m == null) && m > 3', ({ m }) => m !== null && m > 3],
  ['m != null ? m > a : a > 0', ({ m, a }) => (m === null ? a > 0 : m > a)],
  ['(m == null ? 0 : m) >= a', ({ m, a }) => (m ?? 0) >= a],
  ['m == 7 || m != null && m < 3', ({ m }) => m === 7 || (m !== null && m < 3)],
  ['(m == null || z == null) || m < z', ({ m, z }) => m === null || z === null || m < z],
  ['!(m != null && z != null && m < z)', ({ m, z }) => m === null || z === null || !(m < z)],
  ['until == null || until >= day', ({ until, day }) => until === null || until >= day],
  ['h != null && h', ({ h }) => h ?? false],
  ['h == null || !h', ({ h }) => h !== true],
  ['m in [1, 2, 3] && m < 3', ({ m }) => m === 1 || m === 2],
  ['t == "abc" && t.size() == 3', ({ t }) => t === 'abc'],
  ['(d == null ? q : d) > p', ({ d, q, p }) => milli(d ?? q) > milli(p)],
  // Logic
  ['f && g', ({ f, g }) => f && g],
  ['f || g', ({ f, g }) => f || g],
  ['!f', ({ f }) => !f],
  ['!(f && g) || a > b', ({ f, g, a, b }) => !f || !g || a > b],
  ['f && g || a > b && x > y', ({ f, g, a, b, x, y }) => (f && g) || (a > b && x > y)],
  ['(f || g) && (a > b || x > y)', ({ f, g, a, b, x, y }) => (f || g) && (a > b || x > y)],
  ['f ? g : a > 0', ({ f, g, a }) => (f ? g : a > 0)],
  ['(a > b) == (x > y)', ({ a, b, x, y }) => a > b === x > y],
  ['(f ? a : b) > 2', ({ f, a, b }) => (f ? a : b) > 2],
  ['f ? a > 1 : g ? a > 2 : a > 3', ({ f, g, a }) => a > (f ? 1 : g ? 2 : 3)],
  // Arithmetic
  ['a + b > 10', ({ a, b }) => isSafe(a + b) && a + b > 10],
  ['a - b < 10', ({ a, b }) => isSafe(a - b) && a - b < 10],
  ['a * b != 12', ({ a, b }) => isSafe(a * b) && a * b !== 12],
  ['a / 2 == 3', ({ a }) => Math.trunc(a / 2) === 3],
  ['a / b >= 2', ({ a, b }) => b !== 0 && BigInt(a) / BigInt(b) >= 2n],
  ['a % b != 1', ({ a, b }) => b !== 0 && BigInt(a) % BigInt(b) !== 1n],
  ['a % 2 == 0', ({ a }) => BigInt(a) % 2n === 0n],
  ['-a < b', ({ a, b }) => -a < b],
  [
    'a * 2 + b * 3 - 1 > 0',
    ({ a, b }) => isSafe(a * 2) && isSafe(b * 3) && isSafe(a * 2 + b * 3) && a * 2 + b * 3 - 1 > 0,
  ],
  ['x * 2 + 0.5 > y', ({ x, y }) => x * 2 + 0.5 > y],
  ['x / y > 1.5', ({ x, y }) => y !== 0 && x / y > 1.5],
  ['x - a > 0.25', ({ x, a }) => x - a > 0.25],
  ['p + q > 100', ({ p, q }) => milli(p) + milli(q) > 100_000],
  ['p - q <= 0.01', ({ p, q }) => milli(p) - milli(q) <= 10],
  ['p * 3 >= q', ({ p, q }) => milli(p) * 3 >= milli(q)],
  ['-p < q', ({ p, q }) => -milli(p) < milli(q)],
  ['round(p * 0.125, 2) <= 1.25', ({ p }) => cents(milli(p) * 125) <= 125],
  ['round(p / 8, 2) > 0', ({ p }) => cents((milli(p) * 1000) / 8) > 0],
  ['round(p * 19 / 100, 2) < q', ({ p, q }) => cents(milli(p) * 190) * 10 < milli(q)],
  ['round(p, 0) == p || f', ({ p, f }) => milli(p) % 1000 === 0 || f],
  // Times
  [
    'until != null && until - day <= duration("7d")',
    ({ until, day }) => until !== null && ms(until) - ms(day) <= days(7),
  ],
  ['end == null || end - at >= duration("1h30m")', ({ end, at }) => end === null || ms(end) - ms(at) >= 5_400_000],
  ['day + duration("3d") >= date("2026-03-01")', ({ day }) => ms(day) + days(3) >= ms('2026-03-01')],
  ['day - duration("48h") != until', ({ day, until }) => plusDays(day, -2) !== until],
  ['at + duration("250ms") < now()', ({ at }, now) => ms(at) + 250 < ms(now)],
  ['at > now() - duration("1d")', ({ at }, now) => ms(at) > ms(now) - days(1)],
  ['day <= today()', ({ day }, now) => day <= dayOf(now)],
  ['date(at) == day', ({ at, day }) => dayOf(at) === day],
  [
    'end == null || (end - at) + duration("1s") > -duration("2h")',
    ({ end, at }) => end === null || ms(end) - ms(at) + 1000 > -7_200_000,
  ],
  ['days(day, date("2026-03-01")) <= 3', ({ day }) => ms('2026-03-01') - ms(day) <= days(3)],
  ['until != null && days(until, day) == -1', ({ until, day }) => until !== null && plusDays(day, 1) === until],
  ['end == null || days(at, end) * 2 > 3', ({ at, end }) => end === null || ms(dayOf(end)) - ms(dayOf(at)) >= days(2)],
  ['days(day, at) == 2 || days(at, day) == 0', ({ day, at }) => [day, plusDays(day, 2)].includes(dayOf(at))],
  [
    'end != null && (end - at) / duration("12h") > 1.5',
    ({ end, at }) => end !== null && ms(end) - ms(at) > 18 * 3_600_000,
  ],
  ['until == null || (until - day) / (until - day) == 1', ({ until, day }) => until === null || until !== day],
  [
    'day + duration("1d") * a > date("2026-03-01")',
    ({ day, a }) => isSafe(days(a)) && ms(day) + days(a) > ms('2026-03-01'),
  ],
  [
    'end == null || end - at < a * -duration("6h")',
    ({ end, at, a }) => end === null || (isSafe(days(a / 4)) && ms(end) - ms(at) < -days(a / 4)),
  ],
  ['until != null && day + (until - day + duration("2d")) == until + duration("48h")', ({ until }) => until !== null],
  // Texts
  ['s.size() >= 3', ({ s }) => letters(s) >= 3],
  ['size(s) + size(s) < 10', ({ s }) => letters(s) * 2 < 10],
  ['s.startsWith("a") || s.endsWith("c")', ({ s }) => s.startsWith('a') || s.endsWith('c')],
  ['t == null || s.startsWith(t)', ({ s, t }) => t === null || s.startsWith(t)],
  ['s.contains("b")', ({ s }) => s.includes('b')],
  ['s.matches("^[a-c]+$")', ({ s }) => /^[a-c]+$/u.test(s)],
  ['s.matches("b.") || f', ({ s, f }) => /b./u.test(s) || f],
  ['s + "x" == "abcx"', ({ s }) => s === 'abc'],
  // Lists
  ['e in ["draft", "done"]', ({ e }) => e !== 'open'],
  ['!(e2 in ["open"])', ({ e2 }) => e2 !== 'open'],
  ['"abc" in tags', ({ tags }) => tags.includes('abc')],
  ['s in tags', ({ tags, s }) => tags.includes(s)],
  ['size(tags) < 3', ({ tags }) => tags.length < 3],
  ['tags.all(tag, tag.size() > 1)', ({ tags }) => tags.every((tag) => letters(tag) > 1)],
  [
    'tags.exists(tag, tag.startsWith("a") && tag != s)',
    ({ tags, s }) => tags.some((tag) => tag.startsWith('a') && tag !== s),
  ],
  ['tags.exists_one(tag, tag == "abc")', ({ tags }) => tags.filter((tag) => tag === 'abc').length === 1],
  ['sizes == null || sizes.all(size, size > a)', ({ sizes, a }) => sizes === null || sizes.every((size) => size > a)],
  ['sizes != null && a in sizes', ({ sizes, a }) => sizes?.includes(a) ?? false],
  [
    'sizes == null || sizes.exists(n, n % 2 == 0 && n + 1 > b)',
    ({ sizes, b }) => sizes === null || sizes.some((n) => n % 2 === 0 && n + 1 > b),
  ],
];
