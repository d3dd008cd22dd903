import type { Random } from '../support/random.ts';
import type { Answer } from '../support/server.ts';
import { raws } from './client.ts';
import { moves } from './model.ts';

export type Ask = (method: string, path: string, body?: object) => Promise<Answer>;

interface Told {
  readonly number: number;
  readonly resource: string;
  readonly record: string;
  readonly operation: string;
  readonly version: number;
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
}

/** All events of an organization whose requests are over, in their order. */
export async function everyEvent(ask: Ask): Promise<Told[]> {
  const all: Told[] = [];
  for (let more = true; more;) {
    const { body } = await ask('GET', `/api/events?limit=1000&after=${all.at(-1)?.number ?? 0}`);
    const { data, has_more: hasMore } = body as { data: Told[]; has_more: boolean };
    all.push(...data);
    more = hasMore;
  }
  return all;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** Statuses of requests that are refused as others were first. */
const refusals = new Set([404, 409, 412, 422]);

/** Sends random requests beside others, so that no model knows the answers: they succeed, or are refused by a reason of the contract. */
export class Racer {
  readonly #ask: Ask;
  readonly #random: Random;

  constructor(ask: Ask, random: Random) {
    this.#ask = ask;
    this.#random = random;
  }

  /** @throws Error if the answer is none that the contract knows */
  async next(): Promise<void> {
    const ids = new Map(
      await Promise.all(
        ['customer', 'order'].map(async (name): Promise<[string, string[]]> => {
          const { body } = await this.#ask('GET', `/api/agency/${name}?archived=any&limit=12`);
          return [name, (body as { data: { id: string }[] }).data.map(({ id }) => id)];
        }),
      ),
    );
    const some = (name: string): string => this.#random.shuffled(ids.get(name) ?? [])[0] ?? 'nothing';
    if (this.#random.chance(0.15)) return this.#undo();
    const operations = Array.from({ length: this.#random.of([1, 1, 2, 4]) }, () => this.#operation(some));
    const [{ method, path, body }] = operations as [Operation];
    this.#check(
      await (operations.length === 1 ? this.#ask(method, path, body) : this.#ask('POST', '/api/batch', { operations })),
    );
  }

  async #undo(): Promise<void> {
    const { body } = await this.#ask('GET', '/api/events?sort=-number&limit=20');
    const numbers = (body as { data?: Told[] }).data?.map(({ number }) => number) ?? [];
    if (numbers.length > 0) this.#check(await this.#ask('POST', `/api/events/${this.#random.of(numbers)}/undo`));
  }

  #operation(some: (name: string) => string): Operation {
    const { customer, order } = { customer: some('customer'), order: some('order') };
    const orNull = <T>(value: T): T | null => (this.#random.chance(0.3) ? null : value);
    const amount = this.#random.below(9);
    const at = (name: string, id: string): string => `/api/agency/${name}/${id}`;
    const data = this.#random.of(raws);
    const verb = this.#random.of(Object.keys(moves) as (keyof typeof moves)[]);
    const { of } = moves[verb];
    return this.#random.of([
      {
        method: 'POST',
        path: '/api/agency/customer',
        body: { name: 'Ada', code: orNull(`c${amount}`), settings: data },
      },
      {
        method: 'POST',
        path: '/api/agency/order',
        body: { customer_id: customer, agent_id: orNull(some('customer')), amount },
      },
      { method: 'POST', path: '/api/agency/part', body: { customer_id: customer, amount, order_id: orNull(order) } },
      { method: 'PATCH', path: at('order', order), body: { customer_id: customer, amount, data } },
      { method: 'PATCH', path: at('customer', customer), body: { code: orNull(`C${amount}`) } },
      { method: 'DELETE', path: at('customer', customer) },
      { method: 'DELETE', path: at('order', order) },
      { method: 'POST', path: `${at(of, { customer, order }[of])}/${verb}` },
      { method: 'POST', path: `${at(of, { customer, order }[of])}/${verb}` },
      { method: 'POST', path: `${at('customer', customer)}/${this.#random.of(['archive', 'unarchive', 'unblock'])}` },
      { method: 'POST', path: `${at('order', order)}/${this.#random.of(['archive', 'unarchive', 'reopen'])}` },
    ]);
  }

  #check({ status, text }: Answer): void {
    if (status >= 300 && !refusals.has(status)) throw new Error(`Racing requests got ${status} ${text}`);
  }
}
