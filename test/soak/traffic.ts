import { Agent, request } from 'node:http';

import { changeOf, leadOf } from '../bench/leads.ts';
import { attachmentPath, leadPath, orderLinePath, orderPath, quietKey } from '../attack/requests.ts';
import type { Random } from '../support/random.ts';

/** How many leads each client keeps: the database stays as large as it is after the first seconds. */
const kept = 100;

const largeText = 'x'.repeat(2_000_000);

type Fields = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly body: Fields;
}

/** Clients that use a server as its users do, right and wrong, and delete as much as they create. Each knows what its leads hold. */
export class Traffic {
  /** The requests that were answered. */
  done = 0;
  /** Answers that were not as they should be. */
  readonly faults = new Set<string>();
  readonly #port: number;
  readonly #random: Random;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #clients: Promise<unknown>;
  /** The expected leads, by client and id. */
  readonly #leads: readonly Map<string, Fields>[];
  #stopping = false;

  constructor(port: number, clients: number, random: Random) {
    this.#port = port;
    this.#random = random;
    this.#leads = Array.from({ length: clients }, () => new Map<string, Fields>());
    this.#clients = Promise.all(this.#leads.map((leads) => this.#client(leads)));
  }

  /** Sends nothing more, and looks whether all leads are there. @returns when all is answered. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#clients;
    const known = this.#leads.reduce((sum, { size }) => sum + size, 0);
    await this.#try(async () => {
      const { total } = await this.#expect(200, 'GET', `${leadPath}?limit=1`);
      if (total !== known) throw new Error(`There are ${String(total)} leads, not ${known}.`);
    });
    this.#agent.destroy();
  }

  async #client(leads: Map<string, Fields>): Promise<void> {
    while (!this.#stopping) {
      const number = this.#random.below(100_000);
      await this.#try(async () => {
        if (leads.size >= kept) return this.#step(this.#random.of([...leads]), number, leads);
        const lead = leadOf(number);
        leads.set(await this.#create(leadPath, lead), lead);
      });
    }
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.faults.add((error as Error).message);
    }
  }

  async #step([id, lead]: [string, Fields], number: number, leads: Map<string, Fields>): Promise<unknown> {
    const one = `${leadPath}/${id}`;
    const random = this.#random;
    switch (
      random.weighted({ get: 40, list: 10, update: 10, replace: 10, parent: 2, wrong: 5, large: 1, long: 2, gone: 2 })
    ) {
      case 'get':
        return this.#expect(200, 'GET', one, undefined, lead);
      case 'list':
        return this.#expect(200, 'GET', `${leadPath}?limit=20&offset=${random.below(kept)}`);
      case 'update': {
        const change = changeOf(number, 1);
        leads.set(id, { ...lead, ...change });
        return this.#expect(200, 'PATCH', one, change, { ...lead, ...change });
      }
      case 'replace':
        leads.delete(id);
        return this.#expect(200, 'DELETE', one);
      case 'parent':
        return this.#parent();
      case 'wrong':
        return this.#expect(422, 'POST', leadPath, { unknown: number, lead_name: 1 });
      case 'large':
        return this.#replaceLarge();
      case 'long':
        return this.#expect(200, 'GET', `${leadPath}?limit=1000`);
      case 'gone':
        return this.#leave(`${leadPath}?limit=1000`);
    }
  }

  async #parent(): Promise<unknown> {
    const order = { ordered_on: '2026-11-21', company: 'Kestrel', currency: 'EUR' };
    const id = await this.#create(orderPath, order);
    for (let n = 0; n < 3; n++) await this.#create(orderLinePath, { order_id: id, article: `Article ${n}` });
    await this.#expect(200, 'GET', `${orderLinePath}?parent_id=${id}`);
    return this.#expect(200, 'DELETE', `${orderPath}/${id}`);
  }

  async #replaceLarge(): Promise<unknown> {
    const id = await this.#create(attachmentPath, { order_id: 'x', data: largeText });
    await this.#expect(200, 'GET', `${attachmentPath}/${id}`);
    return this.#expect(200, 'DELETE', `${attachmentPath}/${id}`);
  }

  async #create(path: string, body: object): Promise<string> {
    return String((await this.#expect(201, 'POST', path, body, body as Fields))['id']);
  }

  /** @param fields what the answer must hold */
  async #expect(status: number, method: string, path: string, body?: object, fields: Fields = {}): Promise<Fields> {
    const answer = await this.#ask(method, path, body);
    const kind = path.replace(/\/\w+_\w+/, '/:id').replace(/\d+/g, 'n');
    if (answer.status !== status) throw new Error(`${method} ${kind} was answered ${answer.status}, not ${status}.`);
    const wrong = Object.keys(fields).find((name) => answer.body[name] !== fields[name]);
    if (wrong !== undefined) throw new Error(`${method} ${kind} was answered with another ${wrong} than was stored.`);
    return answer.body;
  }

  #ask(method: string, path: string, body?: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const headers = { Authorization: `Bearer ${quietKey}`, ...(text && { 'Content-Type': 'application/json' }) };
      const options = { host: '127.0.0.1', port: this.#port, agent: this.#agent, method, path, headers };
      const outgoing = request(options, (incoming) => {
        const pieces: Buffer[] = [];
        incoming.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject);
        incoming.on('end', () => {
          this.done += 1;
          resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(Buffer.concat(pieces).toString()) as Fields });
        });
      });
      outgoing.on('error', reject).end(text);
    });
  }

  /** Asks for something and is gone when the answer begins. */
  #leave(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${quietKey}` };
      const outgoing = request({ host: '127.0.0.1', port: this.#port, path, headers, agent: false }, (incoming) => {
        incoming.on('error', () => undefined).destroy();
        resolve();
      });
      outgoing.on('error', reject).end();
    });
  }
}
