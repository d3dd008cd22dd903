import { day, minute } from '../../kernel/values/time.ts';
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
  terms,
} from './words.ts';

/** Random choices that a seed repeats (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 to 1, 1 excluded. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `min` to `max`. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  of<T>(all: readonly T[]): T {
    return all[Math.floor(this.next() * all.length)] as T;
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.between(0, 9)).join('');
  }
}

/** A company, and the person who works there. */
export interface Customer {
  readonly name: string;
  readonly site: string;
  readonly place: (typeof places)[number];
  readonly street: string;
  readonly postcode: string;
  readonly phone: string;
  readonly first: string;
  readonly last: string;
  readonly email: string;
}

/** The subject of one record: its fields agree with each other, as they are all taken from here. */
export interface Scene {
  readonly random: Random;
  /** The place of the record among those of its resource, from 1. */
  readonly number: number;
  /** How many records of its resource this run has made before it. */
  readonly turn: number;
  readonly isLineItem: boolean;
  readonly customer: Customer;
  readonly article: (typeof articles)[number];
  readonly request: (typeof requests)[number];
  /** When it began, in milliseconds. */
  readonly begin: number;
  /** Days until it ends. */
  readonly period: number;
  readonly quantity: number;
  readonly net: number;
  readonly tax: number;
}

const cents = (amount: number): number => Math.round(amount * 100) / 100;

const slug = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '');

/** Companies that records share: each name comes once in each trade. */
export function inventCustomers(random: Random, count: number): Customer[] {
  return Array.from({ length: count }, (_, index) => {
    const company = companyNames[index % companyNames.length] as string;
    const trade = companyTrades[(index + Math.floor(index / companyNames.length)) % companyTrades.length] as string;
    const domain = `${slug(company)}-${slug(trade)}.example`;
    const [place, first, last] = [random.of(places), random.of(firstNames), random.of(lastNames)];
    return {
      name: `${company} ${trade} ${random.of(companyForms)}`,
      site: `https://www.${domain}/`,
      place,
      street: `${random.between(1, 180)} ${random.of(streets)}`,
      postcode: random.digits(5),
      phone: `${place[3]} 555 ${random.digits(4)}`,
      first,
      last,
      email: `${slug(first)}.${slug(last)}@${domain}`,
    };
  });
}

/** The subject of a record, which began in the last year and a half. */
export function inventScene(
  random: Random,
  customers: readonly Customer[],
  place: Pick<Scene, 'number' | 'turn' | 'isLineItem'>,
): Scene {
  const article = random.of(articles);
  const quantity = random.between(1, 40);
  const net = cents(article[3] * quantity);
  const today = Math.floor(Date.now() / day) * day;
  return {
    ...place,
    random,
    // Some customers have much to do with the company, most have little.
    customer: customers[Math.floor(random.next() ** 2 * customers.length)] as Customer,
    article,
    request: random.of(requests),
    begin: today - random.between(1, 540) * day + random.between(8 * 60, 17 * 60) * minute,
    period: random.of([14, 30, 45, 60, 90, 180]),
    quantity,
    net,
    tax: cents(net * 0.19),
  };
}

type Rule<T> = readonly [name: RegExp, make: (scene: Scene, name: string) => T];

const make = <T>(rules: readonly Rule<T>[], scene: Scene, name: string): T | undefined =>
  rules.find(([pattern]) => pattern.test(name))?.[1](scene, name);

/** Days after the beginning, by what the name of a date says of it: ends come after beginnings. */
const daysAfter: readonly Rule<number>[] = [
  [/(?:^|_)(?:end|till|until|due|expir\w*|valid\w*)(?:_|$)/, ({ period }) => period],
  [/complet|resolution|closed|shipped/, () => 4],
  [/_by$|respond|qualif|hold/, () => 1],
  [/./, () => 0],
];

/** A time of a record as ISO 8601 has it, like `2026-01-31T12:30:00`. */
const timeFor = (scene: Scene, name: string): string =>
  new Date(scene.begin + (make(daysAfter, scene, name) as number) * day).toISOString().slice(0, 19);

/** Strings, by the names of their fields: the first rule that fits. A field without a rule stays empty. */
const texts: readonly Rule<string>[] = [
  [/email_subject/, () => 'A document for you to sign'],
  [/email_message/, () => 'Please read the document and sign it by the end of the week.'],
  [/email|raised_by/, ({ customer }) => customer.email],
  [/mobile|whatsapp|phone(?:_no)?$|^fax$/, ({ customer }) => customer.phone],
  [/first_name/, ({ customer }) => customer.first],
  [/last_name/, ({ customer }) => customer.last],
  [
    /(?:lead|full)_name|^contact(?:_person|_display)?$|^(?:author|reader)$|qualified_by/,
    ({ customer: { first, last } }) => `${first} ${last}`,
  ],
  [/website|_url$|_page$/, ({ customer }) => customer.site],
  [/^company$/, () => 'Brightwater Trading Ltd'],
  [
    /^(?:customer|supplier)$|(?:customer|company|party|competitor)_name|beneficiary|address_title/,
    (of) => of.customer.name,
  ],
  [/party_type/, () => 'Customer'],
  [/address_line1/, ({ customer }) => customer.street],
  [
    /^(?:customer|shipping)_address$|^address_display$/,
    ({ customer: { street, postcode, place } }) => `${street}, ${postcode} ${place[0]}, ${place[2]}`,
  ],
  [/^city$|named_place/, ({ customer }) => customer.place[0]],
  [/^state$/, ({ customer }) => customer.place[1]],
  [/^country$/, ({ customer }) => customer.place[2]],
  [/pincode|postcode|zip/, ({ customer }) => customer.postcode],
  [/currency/, ({ customer }) => customer.place[4]],
  [/(?:item|customer)_group/, ({ random }) => random.of(terms['segment'] as readonly string[])],
  [/item_code|finished_good$|service_item$|^article$/, ({ article }) => article[0]],
  [/item_name/, ({ article }) => article[1]],
  [/^description$/, ({ isLineItem, article, request }) => (isLineItem ? article[1] : request[1])],
  [/uom$|unit$/, ({ article }) => article[2]],
  [/^subject$/, ({ request }) => request[0]],
  [/^title$/, ({ customer }) => `Agreement with ${customer.name}`],
  [/information|remarks|notes|resolution_details/, ({ customer }) => `As agreed with ${customer.first} on the phone.`],
  [/iban/, ({ random }) => `DE${random.digits(20)}`],
  [/bank_account_no|branch_code/, ({ random }) => random.digits(10)],
  [/^bank$/, () => 'Harbour Bank'],
  [/bank_account$/, () => 'Current Account - Harbour Bank'],
  [/charges_account/, () => '5410 - Bank Charges'],
  [/receivable|debit_to/, () => '1300 - Debtors'],
  [/account_head/, () => '2210 - VAT 19 %'],
  [/short_term_loan/, () => '2400 - Short-term Loans'],
  [/invoice|voucher_no|reference_(?:doc)?name/, ({ random }) => `INV-${random.digits(5)}`],
  [/voucher_type|reference_(?:doc)?type$/, () => 'Sales Invoice'],
  [/guarantee_number/, ({ random }) => `BG-${random.digits(5)}`],
  [/serial_number/, ({ random }) => `BR-${random.digits(6)}`],
  [/^data$/, () => 'JVBERi0xLjQKJSVFT0YK'],
  [/holiday_list/, () => 'Public holidays'],
  [/(?:from|start|opening)_time$/, (scene, name) => timeFor(scene, name).slice(11)],
  [/(?:to|end)_time$/, ({ begin }) => new Date(begin + day / 24).toISOString().slice(11, 19)],
  ...Object.entries(terms).map(([word, all]): Rule<string> => [
    new RegExp(word),
    ({ random, number }) => all[number - 1] ?? random.of(all),
  ]),
  [/utm_(?:medium|source)/, ({ random }) => random.of(['Email', 'Search', 'Trade show', 'Referral'])],
  [/_(?:at|on|by|since)$/, (scene, name) => `${timeFor(scene, name)}Z`],
  [/_date$/, (scene, name) => timeFor(scene, name).slice(0, 10)],
  // Four line items have the same parent.
  [/_id$|bom(?:_no)?$/, ({ number }, name) => `${name.slice(0, 3).toUpperCase()}-${1000 + Math.ceil(number / 4)}`],
];

const numbers: readonly Rule<number>[] = [
  [/shift_factor/, ({ random }) => random.of([1, 1.25, 1.5])],
  [/price_list|conversion|exchange/, () => 1],
  [/percent/, () => 0],
  [/tax/, ({ tax }) => tax],
  [/rounding|difference|discount|charges$/, () => 0],
  [/grand|rounded|outstanding|^total_amount$/, ({ net, tax }) => cents(net + tax)],
  [/qty|quantity/, ({ quantity }) => quantity],
  [/rate$|price/, ({ article }) => article[3]],
  [/revenue/, ({ random }) => random.between(2, 900) * 10_000],
  [/margin/, ({ net }) => Math.round(net / 10)],
  [/validity|period|days/, ({ period }) => period],
  [/time$/, ({ random }) => random.between(5, 90) * 60],
  [/amount|total|^cost/, ({ net }) => net],
  [/./, ({ random }) => random.between(1, 20)],
];

/** Strings of formats. */
const formats: Readonly<Record<string, (scene: Scene, name: string) => string>> = {
  date: (scene, name) => timeFor(scene, name).slice(0, 10),
  'date-time': (scene, name) => `${timeFor(scene, name)}Z`,
  time: (scene, name) => `${timeFor(scene, name).slice(11)}Z`,
  email: ({ customer }) => customer.email,
  uri: ({ customer }) => customer.site,
  uuid: ({ random }) => `00000000-0000-4000-8000-${random.digits(12)}`,
};

/** A string for a field of this name and format; undefined if none would be believable. */
export const textFor = (scene: Scene, name: string, format: string | undefined): string | undefined =>
  format === undefined ? make(texts, scene, name) : formats[format]?.(scene, name);

/** A number for a field of this name. */
export const numberFor = (scene: Scene, name: string): number => make(numbers, scene, name) as number;

/** Fields that few records have a value for. */
export const rarelySet = /resolution|hold|lost|respond|supplier|utm_|fax|whatsapp|error/;
