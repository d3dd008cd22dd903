import { Agent, request } from 'node:http';

import { changeOf, leadOf } from '../bench/leads.ts';
import { attachmentPath, leadPath, orderLinePath, orderPath, quietKey } from '../attack/requests.ts';
import type { Random } from '../support/random.ts';

/** How many leads each client keeps: the database stays as large as it is after the first seconds. */
const kept = 100;

const largeText = 'x'.repeat(2_000_000);

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Clients that use a server as its users do, right and wrong, and delete as much as they create. */
export class Traffic {
  /** The requests that were answered. */
  done = 0;
  /** Answers that were not as they should be. */
  readonly faults = new Set<string>();
  readonly #port: number;
  readonly #random: Random;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #clients: Promise<unknown>;
  #stopping = false;

  constructor(port: number, clients: number, random: Random) {
    this.#port = port;
    this.#random = random;
    this.#clients = Promise.all(Array.from({ length: clients }, () => this.#client()));
  }

  /** Sends nothing more. @returns when all is answered. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#clients;
    this.#agent.destroy();
  }

  async #client(): Promise<void> {
    const random = this.#random;
    const ids: string[] = [];
    while (!this.#stopping) {
      const number = random.below(100_000);
      const id = ids[random.below(ids.length)];
      try {
        if (id === undefined || ids.length < kept) ids.push(await this.#create(leadPath, leadOf(number)));
        else await this.#step(id, number, ids);
      } catch (error) {
        this.faults.add((error as Error).message);
      }
    }
  }

  async #step(id: string, number: number, ids: string[]): Promise<void> {
    const one = `${leadPath}/${id}`;
    const random = this.#random;
    switch (
      random.weighted({ get: 40, list: 10, update: 10, replace: 10, parent: 2, wrong: 5, large: 1, long: 2, gone: 2 })
    ) {
      case 'get':
        return this.#expect(200, 'GET', one);
      case 'list':
        return this.#expect(200, 'GET', `${leadPath}?limit=20&offset=${random.below(kept)}`);
      case 'update':
        return this.#expect(200, 'PATCH', one, changeOf(number, 1));
      case 'replace':
        ids.splice(ids.indexOf(id), 1);
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

  async #parent(): Promise<void> {
    const order = { ordered_on: '2026-11-21', company: 'Kestrel', currency: 'EUR' };
    const id = await this.#create(orderPath, order);
    for (let n = 0; n < 3; n++) await this.#create(orderLinePath, { order_id: id, article: `Article ${n}` });
    await this.#expect(200, 'GET', `${orderLinePath}?parent_id=${id}`);
    await this.#expect(200, 'DELETE', `${orderPath}/${id}`);
  }

  async #replaceLarge(): Promise<void> {
    const id = await this.#create(attachmentPath, { order_id: 'x', data: largeText });
    await this.#expect(200, 'GET', `${attachmentPath}/${id}`);
    await this.#expect(200, 'DELETE', `${attachmentPath}/${id}`);
  }

  async #create(path: string, body: object): Promise<string> {
    const answer = await this.#ask('POST', path, body);
    if (answer.status !== 201) throw new Error(`POST ${path} was answered ${answer.status}, not 201.`);
    return (answer.body as { id: string }).id;
  }

  async #expect(status: number, method: string, path: string, body?: object): Promise<void> {
    const answer = await this.#ask(method, path, body);
    const kind = path.replace(/\/\w+_\w+/, '/:id').replace(/\d+/g, 'n');
    if (answer.status !== status) throw new Error(`${method} ${kind} was answered ${answer.status}, not ${status}.`);
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
          resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(Buffer.concat(pieces).toString()) });
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
