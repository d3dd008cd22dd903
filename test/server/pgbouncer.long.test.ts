import { Client as PgClient } from 'pg';
import { beforeEach, expect } from 'vitest';

import { service } from '../service/generated/app.ts';
import { lineItemNamed, recordNamed, records } from '../service/resources.ts';
import { engines, expectExactTotals } from '../support/databases.ts';
import { testUnless } from '../support/disk.ts';
import { Pgbouncer, pgbouncerMissing } from '../support/pgbouncer.ts';
import { postgresMissing } from '../support/postgres.ts';
import { Random } from '../support/random.ts';
import { fullBody, minimalBody } from '../support/samples.ts';
import { repeatable, seed } from '../support/seed.ts';
import { type Answer, startServer, type TestServer } from '../support/server.ts';

const { tables } = service;

beforeEach(repeatable);

const order = recordNamed('order');
const item = lineItemNamed('order_line');
/** Tables that refuse to store the same values twice, or to change some. */
const strict = new Set(
  tables.filter(({ unique, columns }) => unique || columns.some(({ immutable }) => immutable)).map(({ name }) => name),
);
const others = records.filter(
  ({ name, operations }) =>
    name !== order.name &&
    !strict.has(name) &&
    (['create', 'retrieve', 'update', 'delete'] as const).every((one) => operations.includes(one)),
);

/** How many requests the clients of both servers make together. */
const requests = 3_000;
const clients = 32;

/** Makes requests of all kinds, and knows which records there must be. */
class Client {
  /** Ids by table. */
  readonly created = new Map<string, Set<string>>();
  readonly #random: Random;
  readonly #servers: readonly TestServer[];

  constructor(random: Random, servers: readonly TestServer[]) {
    this.#random = random;
    this.#servers = servers;
  }

  /** Records that this client has made of a resource. */
  of(name: string): Set<string> {
    const ids = this.created.get(name) ?? new Set();
    this.created.set(name, ids);
    return ids;
  }

  async step(): Promise<void> {
    const what = this.#random.weighted({
      create: 4,
      retrieve: 4,
      update: 2,
      list: 1,
      delete: 1,
      item: 2,
      move: 1,
      submit: 1,
    });
    const resource = ['item', 'move', 'submit'].includes(what) ? order : this.#random.of(others);
    const id = this.#random.of([...this.of(resource.name)]);
    const path = `${resource.path}/${id}`;
    if (what === 'create' || id === undefined) {
      const body = this.#random.chance(0.5) ? minimalBody(resource) : fullBody(resource);
      this.of(resource.name).add(await this.#create(resource.path, body, resource.name));
    } else if (what === 'item') {
      this.of(item.name).add(await this.#create(item.path, minimalBody(item, id), item.name));
    } else if (what === 'move') {
      const moved = this.#random.of([...this.of(item.name)]);
      if (moved !== undefined) await this.#send(200, 'PATCH', `${item.path}/${moved}`, { [item.parentField]: id });
    } else if (what === 'list') {
      await this.#send(200, 'GET', `${resource.path}?limit=${1 + this.#random.below(30)}`);
    } else if (what === 'submit') {
      expect([200, 409]).toContain((await this.#request('POST', `${path}/submit`)).status);
    } else if (what === 'delete') {
      await this.#send(200, 'DELETE', path);
      this.of(resource.name).delete(id);
    } else {
      const [method, body] = what === 'update' ? ['PATCH', fullBody(resource, undefined, 2)] : ['GET', undefined];
      expect((await this.#send(200, method, path, body)).body).toMatchObject({ id });
    }
  }

  async #create(path: string, body: object, name: string): Promise<string> {
    const { id } = (await this.#send(201, 'POST', path, body)).body as { id: string };
    expect(id.startsWith(`${name}_`), `${id} of ${name}`).toBe(true);
    return id;
  }

  async #send(status: number, method: string, path: string, body?: object): Promise<Answer> {
    const answer = await this.#request(method, path, body);
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(status);
    return answer;
  }

  #request(method: string, path: string, body?: object): Promise<Answer> {
    return this.#random.of(this.#servers).request(method, path, body);
  }
}

testUnless(
  postgresMissing ?? pgbouncerMissing,
  'behind pgbouncer in transaction mode, two servers of two processes read and write the records they mean',
  async () => {
    await using database = await engines.find(({ name }) => name === 'PostgreSQL')!.create(tables);
    // Fewer connections than there are processes: each serves all of them.
    await using pooler = await Pgbouncer.start(database, 3);
    const start = (): Promise<TestServer> => startServer({ env: { DATABASE_URL: pooler.url, WORKERS: '2' } });
    const servers = [await start(), await start()];
    try {
      const all = Array.from({ length: clients }, (_, n) => new Client(new Random(seed * 100 + n), servers));
      let left = requests;
      await Promise.all(
        all.map(async (client) => {
          while (left-- > 0) await client.step();
        }),
      );
      for (const { name } of [...others, order, item]) {
        const rows = await database.query(`select "id" from "${name}"`);
        expect(rows.map(({ id }) => String(id)).toSorted()).toEqual(all.flatMap((one) => [...one.of(name)]).toSorted());
      }
      await expectExactTotals(database, tables);
      // Nothing is left set in sessions that other clients share.
      const client = new PgClient({ connectionString: pooler.url });
      await client.connect();
      expect((await client.query('show statement_timeout; show lock_timeout')) as unknown).toMatchObject([
        { rows: [{ statement_timeout: '0' }] },
        { rows: [{ lock_timeout: '0' }] },
      ]);
      await client.end();
    } finally {
      for (const server of servers) await server.close();
    }
  },
);
