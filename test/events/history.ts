import { expect } from 'vitest';

import { service } from '../service/generated/app.ts';
import type { Random } from '../support/random.ts';
import type { Answer } from '../support/server.ts';
import type { Event, Trail } from './trail.ts';

type Body = Record<string, unknown>;

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** A write that was answered with a success. */
interface Told {
  readonly request: Request;
  readonly answer: Answer;
}

const library = ['library/book', 'library/book-copy', 'library/loan'];

/** Sends random writes of every kind, of which some are refused, and keeps what it is told. */
export class Writers {
  readonly told = new Map<string, Told>();
  /** How often each kind of write was done, and each reason why one was refused. */
  readonly outcomes = new Map<string, number>();
  readonly #trail: Trail;
  readonly #random: Random;
  readonly #ids = new Map<string, string[]>();
  #count = 0;

  constructor(trail: Trail, random: Random) {
    this.#trail = trail;
    this.#random = random;
  }

  /** Sends so many writes, from eight clients. */
  async send(writes: number): Promise<void> {
    let left = writes;
    const client = async (): Promise<void> => {
      while (left-- > 0) await this.#one();
    };
    await Promise.all(Array.from({ length: 8 }, client));
  }

  async #one(): Promise<void> {
    const kind = this.#random.weighted({ single: 20, batch: 2, undo: 3 });
    const request = kind === 'single' ? this.#single() : kind === 'batch' ? this.#batch() : await this.#undo();
    const headers: Record<string, string> = this.#random.chance(0.2) ? { 'idempotency-key': `${++this.#count}` } : {};
    const { method, path, body } = request;
    const answer = await this.#trail.ask(method, path, body, headers);
    expect([...(answer.status < 500 ? [answer.status] : []), 503], answer.text).toContain(answer.status);
    const isDone = answer.status < 300;
    const name = isDone ? `${method} ${kind}` : (answer.body as { code: string }).code;
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
    if (!isDone) return;
    this.told.set(answer.headers.get('x-request-id') as string, { request, answer });
    if (answer.status === 201) this.#know(path, (answer.body as { id: string }).id);
    if (kind === 'batch') {
      const { operations } = body as { operations: Request[] };
      const { results } = answer.body as { results: { status: number; body: { id: string } }[] };
      for (const [at, result] of results.entries()) {
        if (result.status === 201) this.#know((operations[at] as Request).path.slice('/api/'.length), result.body.id);
      }
    }
  }

  #know(path: string, id: string): void {
    this.#ids.getOrInsertComputed(path, () => []).push(id);
  }

  /** The id of a record, mostly of one of the newest: it may be gone. */
  #id(path: string): string {
    const ids = this.#ids.get(path)?.slice(-12) ?? [];
    return ids.length === 0 || this.#random.chance(0.02) ? 'none' : this.#random.of(ids);
  }

  #idOrNull = (path: string): string | null => (this.#random.chance(0.5) ? this.#id(path) : null);

  /** A value that no other write has: a change is never none. */
  #text = (): string => `${++this.#count}`;

  /** The bodies of creates; those of updates have some of their fields, and the first one that is a text. */
  readonly #bodies: Readonly<Record<string, () => Body>> = {
    'library/author': () => ({
      name: this.#text(),
      mentor_id: this.#idOrNull('library/author'),
      favorite: this.#idOrNull('library/book'),
    }),
    'library/book': () => ({
      title: this.#text(),
      author_id: this.#id('library/author'),
      sequel_id: this.#random.chance(0.3) ? this.#id('library/book') : null,
    }),
    'library/book-copy': () => ({
      shelf: this.#text(),
      book_id: this.#id('library/book'),
      donor_id: this.#idOrNull('library/author'),
    }),
    'library/loan': () => ({
      borrower: this.#text(),
      book_id: this.#id('library/book'),
      member_id: this.#idOrNull('register/member'),
    }),
    'register/member': () => ({ name: this.#text(), card_number: `${this.#random.below(20)}` }),
    'register/seat': () => ({ event: this.#text(), member_id: this.#id('register/member') }),
    'sales/order': () => ({ company: this.#text(), ordered_on: '2026-01-01', currency: 'EUR', total: 0.1 }),
    'sales/order-line': () => ({ article: this.#text(), order_id: this.#id('sales/order') }),
    'manufacturing/b-o-m-item': () => ({
      item_code: this.#text(),
      bom_id: this.#random.of(['a', 'b']),
      qty: 1.5,
      uom: 'm',
      rate: 2,
    }),
    'billing/charge': () => ({ label: this.#text(), amount: '12.5', paid: '0', share: null }),
    'catalogue/article': () => ({ title: this.#text(), tags: ['x', this.#text()], sizes: [1, 2] }),
  };

  #single(): Request {
    const random = this.#random;
    // Deletes of books change most other records.
    const path = random.chance(0.3) ? random.of(library) : random.of(Object.keys(this.#bodies));
    const body = (this.#bodies[path] as () => Body)();
    switch (random.weighted({ create: 8, update: 6, delete: 3, transition: 2, reorder: 2, settings: 1 })) {
      case 'create':
        return { method: 'POST', path, body };
      case 'delete':
        return { method: 'DELETE', path: `${path}/${this.#id(path)}` };
      case 'transition': {
        const of = random.of(['sales/order', 'register/member']);
        return { method: 'POST', path: `${of}/${this.#id(of)}/${random.of(['submit', 'submit', 'cancel'])}` };
      }
      case 'reorder': {
        const of = random.of(['sales/order-line', 'manufacturing/b-o-m-item']);
        const ids = new Set(Array.from({ length: 1 + random.below(2) }, () => this.#id(of)));
        return {
          method: 'POST',
          path: `${of}/reorder`,
          body: { items: [...ids].map((id) => ({ id, idx: ++this.#count })) },
        };
      }
      case 'settings':
        return {
          method: 'PATCH',
          path: `workshop/booking-settings/${this.settings}`,
          body: { holiday_list: this.#text() },
        };
      case 'update':
    }
    const [first, ...others] = Object.entries(body);
    const set = Object.fromEntries([first as [string, unknown], ...others.filter(() => random.chance(0.3))]);
    return { method: 'PATCH', path: `${path}/${this.#id(path)}`, body: set };
  }

  /** The id of the settings. */
  settings = '';

  #batch(): Request {
    const operations = Array.from({ length: 1 + this.#random.below(4) }, () => {
      const { path, ...rest } = this.#single();
      return { ...rest, path: `/api/${path}` };
    });
    return { method: 'POST', path: 'batch', body: { operations } };
  }

  async #undo(): Promise<Request> {
    const { body } = await this.#trail.ask('GET', 'events?limit=8&sort=-number');
    const { data } = body as { data: Event[] };
    return { method: 'POST', path: `events/${data.length === 0 ? 1 : this.#random.of(data).number}/undo` };
  }
}

interface State {
  readonly version: number;
  /** Undefined while the record is deleted. */
  readonly record: Readonly<Record<string, unknown>> | undefined;
}

/** The records by resource and id. */
export type States = Map<string, State>;

/** All records that there are, read past the events. */
export async function statesOf({ database }: Trail): Promise<States> {
  const states: States = new Map();
  await using store = await database.open(service.tables);
  for (const { name, path } of service.tables) {
    for (const { id } of await database.query(`select "id" from "${name}"`)) {
      const { json, version } = (await store.get(name, String(id)))!;
      states.set(`${path} ${String(id)}`, { version, record: JSON.parse(String(json)) as Record<string, unknown> });
    }
  }
  return states;
}

/** The records that events make of those before them. Expects that each event follows the one before of its record. */
export function folded(before: States, events: readonly Event[]): States {
  const states: States = new Map(before);
  for (const event of events) {
    const { resource, record: id, version, operation, changes } = event;
    const key = `${resource} ${id}`;
    const about = JSON.stringify(event);
    const state = states.get(key) ?? { version: 0, record: undefined };
    expect(version, about).toBe(state.version + 1);
    expect(operation === 'create', about).toBe(state.record === undefined);
    const { columns } = service.tables.find(({ path }) => path === resource)!;
    const record: Record<string, unknown> = {
      ...(state.record ?? Object.fromEntries(columns.map(({ name }) => [name, null]))),
    };
    expect(Object.keys(changes), about).not.toEqual([]);
    for (const [name, [former, value]] of Object.entries(changes)) {
      expect(record[name], about).toEqual(former);
      expect(value, about).not.toEqual(former);
      record[name] = value;
    }
    if (operation === 'delete') expect(new Set(Object.values(record)), about).toEqual(new Set([null]));
    states.set(key, { version, record: operation === 'delete' ? undefined : record });
  }
  return new Map([...states].filter(([, { record }]) => record !== undefined));
}

/** Expects that writes and events are each other's, by the ids of requests. */
export function expectToldOf(told: Writers['told'], events: readonly Event[]): void {
  const byRequest = Map.groupBy(events, ({ request_id: id }) => id);
  expect(new Set(byRequest.keys())).toEqual(new Set(told.keys()));
  for (const [id, { request, answer }] of told) {
    const own = byRequest.get(id) ?? [];
    const version = /^"(\d+)"$/.exec(answer.headers.get('etag') ?? '')?.[1];
    const { id: record } = answer.body as { id?: string };
    if (version === undefined) continue;
    expect(
      own.map((event) => [event.record, String(event.version)]),
      JSON.stringify(request),
    ).toContainEqual([record, version]);
  }
}
