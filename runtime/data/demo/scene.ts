import type { Random } from './random.ts';
import {
  articles,
  companyForms,
  companyNames,
  companyTrades,
  firstNames,
  lastNames,
  places,
  requests,
  streets,
} from './words.ts';

/** A company, and the person who answers there. */
export interface Customer {
  readonly name: string;
  readonly domain: string;
  readonly place: (typeof places)[number];
  readonly street: string;
  readonly postcode: string;
  readonly phone: string;
  readonly person: { readonly first: string; readonly last: string; readonly email: string };
}

/** The subject of one record: its fields agree with each other, as they are all taken from here. */
export interface Scene {
  readonly random: Random;
  /** The place of the record among those of its resource, from 1. */
  readonly number: number;
  readonly isLineItem: boolean;
  readonly customer: Customer;
  /** The company that keeps the records. */
  readonly company: string;
  readonly article: (typeof articles)[number];
  readonly request: (typeof requests)[number];
  /** When it began, in milliseconds. */
  readonly begin: number;
  /** Days until it ends. */
  readonly period: number;
  readonly quantity: number;
  /** Amounts: `gross` is `net` and `tax` together. */
  readonly net: number;
  readonly tax: number;
  readonly gross: number;
}

export const day = 86_400_000; // milliseconds

const cents = (amount: number): number => Math.round(amount * 100) / 100;

const slug = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll(/[^a-z0-9]+/g, '');

/** Companies that records share. */
export function inventCustomers(random: Random, count: number): Customer[] {
  return Array.from({ length: count }, (_, index) => {
    const first = companyNames[index % companyNames.length] as string;
    // Each name comes once in each trade.
    const trade = companyTrades[(index + Math.floor(index / companyNames.length)) % companyTrades.length] as string;
    const place = random.of(places);
    const domain = `${slug(first)}-${slug(trade)}.example`;
    const person = { first: random.of(firstNames), last: random.of(lastNames) };
    return {
      name: `${first} ${trade} ${random.of(companyForms)}`,
      domain,
      place,
      street: `${random.between(1, 180)} ${random.of(streets)}`,
      postcode: random.digits(5),
      phone: `${place[3]} 555 ${random.digits(4)}`,
      person: { ...person, email: `${slug(person.first)}.${slug(person.last)}@${domain}` },
    };
  });
}

/** @param today the last day on which something begins, in milliseconds */
export function inventScene(
  random: Random,
  customers: readonly Customer[],
  { number, isLineItem }: Pick<Scene, 'number' | 'isLineItem'>,
  today: number,
): Scene {
  const article = random.of(articles);
  const quantity = random.between(1, 40);
  const net = cents(article[3] * quantity);
  const tax = cents(net * 0.19);
  return {
    random,
    number,
    isLineItem,
    // Some customers have much to do with the company, most have little.
    customer: customers[Math.floor(random.next() ** 2 * customers.length)] as Customer,
    company: 'Brightwater Trading Ltd',
    article,
    request: random.of(requests),
    begin: today - random.between(1, 540) * day + random.between(8 * 60, 17 * 60) * 60_000,
    period: random.of([14, 30, 45, 60, 90, 180]),
    quantity,
    net,
    tax,
    gross: cents(net + tax),
  };
}
