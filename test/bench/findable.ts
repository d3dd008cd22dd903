import { leadId, leadPath } from './leads.ts';
import type { Traffic } from './load.ts';
import { randomFrom } from './random.ts';
import { createBatches, getAlways, pagesAfter, requestOf } from './traffic.ts';

/** Values of `status`, from the most common one on. */
const statuses = Array.from({ length: 20 }, (_, n) => `Status ${String(n + 1).padStart(2, '0')}`);

/** Values of `lead_owner`, each of about as many leads. */
const owners = 50_000;

/** The relative frequency of each status: each has fewer leads than the one before it. */
const shares = statuses.map((_, n) => 1 / (n + 1) ** 2);
const total = shares.reduce((sum, share) => sum + share, 0);

/** A number from 0 to 1 that has nothing to do with that of the number beside it, nor with that of another salt. */
function scattered(number: number, salt: number): number {
  let mixed = Math.imul(number + salt * 0x9e3779b1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
}

function statusOf(number: number): string {
  let rest = scattered(number, 1) * total;
  return statuses.find((_, n) => (rest -= shares[n] as number) < 0) ?? (statuses[0] as string);
}

const ownerOf = (number: number): string => `owner.${number}@business-records.example`;
const wordOf = (number: number): string => `word${number}`;

/** The searchable values of the lead with this number: one of 20 statuses, one of 50,000 owners and words, and its own number. */
export function findable(number: number, rows: number): Record<string, string | number> {
  const owner = Math.floor(scattered(number, 2) * owners);
  return {
    status: statusOf(number),
    lead_owner: ownerOf(owner),
    annual_revenue: Math.floor(scattered(number, 3) * rows),
    last_name: wordOf(owner),
  };
}

/** A request that finds leads. */
export interface Finding {
  readonly name: string;
  readonly traffic: Traffic;
  /** The most that it should take, as a multiple of the unfiltered page. */
  readonly aim?: number;
}

/** The path of orders, which are shown with their lines. */
export const orderPath = '/api/sales/order';

/** The measurements over so many leads. The first is the base of comparison: a page that no cache holds. */
export function findingsOf(rows: number, seed: number): Finding[] {
  const common = encodeURIComponent(statuses[0] as string);
  const asked = (queryOf: (number: number) => string, below = ''): Traffic => {
    const random = randomFrom(seed);
    return { next: () => requestOf('GET', `${leadPath}${below}?${queryOf(random(rows))}`) };
  };
  const owner = (number: number): string => `lead_owner=${encodeURIComponent(ownerOf(number % owners))}`;
  const behind = (number: number): string => `after=${leadId(number)}`;
  const range = (number: number): string => `annual_revenue[gte]=${number}&annual_revenue[lt]=${number + 100}`;
  return [
    { name: 'unfiltered page after a random id', traffic: pagesAfter(rows, randomFrom(seed)) },
    { name: 'unfiltered first page', traffic: getAlways(leadPath) },
    { name: 'filter, common value', traffic: getAlways(`${leadPath}?status=${common}`), aim: 3 },
    { name: 'filter, rare value', traffic: asked(owner), aim: 1.5 },
    { name: 'two filters', traffic: asked((number) => `status=${common}&${owner(number)}`), aim: 3 },
    { name: 'range', traffic: asked(range), aim: 1.5 },
    { name: 'sort, first page', traffic: getAlways(`${leadPath}?sort=-annual_revenue`), aim: 1.5 },
    {
      name: 'sort, page after a random id',
      traffic: asked((number) => `sort=annual_revenue&${behind(number)}`),
      aim: 1.5,
    },
    {
      name: 'after in a sorted and filtered list',
      traffic: asked((number) => `status=${common}&sort=annual_revenue&${behind(number)}`),
      aim: 1.5,
    },
    { name: 'search, common word', traffic: getAlways(`${leadPath}?q=amara`) },
    {
      name: 'search, common word, not counted before',
      traffic: asked((number) => `q=amara&created_at[gte]=${new Date(Date.UTC(2000) + number).toISOString()}`),
    },
    { name: 'search, rare word', traffic: asked((number) => `q=${wordOf(number % owners)}`), aim: 3 },
    { name: 'search, two words', traffic: asked((number) => `q=amara+${wordOf(number % owners)}`) },
    { name: 'count by status, with a sum', traffic: getAlways(`${leadPath}/count?by=status&sum=annual_revenue`) },
    {
      name: 'the same, of one owner',
      traffic: asked((number) => `by=status&sum=annual_revenue&${owner(number)}`, '/count'),
    },
    {
      name: 'the same, of a common value',
      traffic: getAlways(`${leadPath}/count?by=status&sum=annual_revenue&status=${common}`),
    },
    { name: 'orders, first page', traffic: getAlways(orderPath) },
    { name: 'orders, expanded by 10 lines each', traffic: getAlways(`${orderPath}?expand=order-line`) },
    { name: 'batch of 100 creates', traffic: createBatches() },
  ];
}
