import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newId } from '../../runtime/kernel/model/ids.ts';
import { createKey } from '../../runtime/features/keys/administration.ts';
import { deleteOrganization } from '../../runtime/features/organizations/organizations.ts';
import { service } from '../service/generated/app.ts';
import { resources } from '../service/resources.ts';
import { describeEngine, engines, expectExactTotals, type Row, type TestDatabase } from '../support/databases.ts';
import { pageIn, type Stored, storedIn } from '../support/records.ts';
import type { Resource } from '../support/resources.ts';
import { fullBody, minimalBody } from '../support/samples.ts';
import { type Answer, startServer, type TestServer } from '../support/server.ts';
import { administer, organizationOf } from './administer.ts';
import { features } from '../../runtime/features.ts';

type Body = Record<string, unknown>;

/** A request about the record or the parent with an id. */
interface Attempt {
  readonly about: 'record' | 'parent';
  readonly target: (id: string) => string;
  readonly body?: (id: string) => Body;
}

/** A client with a key of an organization of its own, and what it has. */
class Client {
  readonly name: string;
  readonly #server: TestServer;
  organization = 0;
  key = '';
  readonly records = new Map<string, Stored[]>();

  constructor(name: string, server: TestServer) {
    this.name = name;
    this.#server = server;
  }

  async open(database: TestDatabase): Promise<void> {
    this.organization = await organizationOf(database, service.tables, this.name);
    const options = { organization: this.name, name: 'test', scopes: '*', rate: 'off', lifetime: null };
    this.key = (await administer(database, (connection) => createKey(connection, options))).key;
  }

  ask(method: string, target: string, body?: unknown): Promise<Answer> {
    return this.#server.request(method, target, body, { authorization: `Bearer ${this.key}` });
  }

  one({ name }: Resource): Stored {
    return this.records.get(name)?.[0] as Stored;
  }

  /** The id of the parent of its line items; those that live elsewhere have the same parents for all clients. */
  parentOf(resource: Resource): string {
    if (resource.kind !== 'line-item') return '';
    const parent = resources.find(({ name }) => name === resource.parentResource);
    return parent ? this.one(parent).id : 'shared';
  }

  /** Creates some of each resource. */
  async fill(count: number): Promise<void> {
    for (const resource of resources.toSorted((one, other) => rank(one) - rank(other))) {
      const own: Stored[] = [];
      this.records.set(resource.name, own);
      if (resource.kind === 'singleton') own.push(storedIn(await this.ask('GET', resource.path)));
      else {
        for (let n = 0; n < count; n++) {
          const body: Body = { ...fullBody(resource, this.parentOf(resource), n + 1), ...typeOfParent(resource) };
          delete body['idx'];
          own.push(storedIn(await this.ask('POST', resource.path, body), 201));
        }
      }
    }
  }
}

/** Sends the kind of the parent, if the parent is a pair. */
const typeOfParent = (resource: Resource): Body =>
  resource.kind === 'line-item' && resource.parentTypeField !== undefined ? { [resource.parentTypeField]: 'kind' } : {};

/** Parents first. */
const rank = ({ kind }: Resource): number => (kind === 'line-item' ? 1 : 0);

/** The names of others' records that a request can use, by the kind of its route. New kinds of routes must be added. */
function attemptsOf(method: string, suffix: string, resource: Resource, own: Client): readonly Attempt[] {
  const { path, kind } = resource;
  const record = { about: 'record', target: (id: string) => path + suffix.replace(':id', id) } as const;
  const parent = kind === 'line-item' ? own.parentOf(resource) : '';
  const field = kind === 'line-item' ? resource.parentField : '';
  const isInside = kind === 'line-item' && resource.parentResource !== undefined;
  const first = own.one(resource);
  switch (`${method} ${suffix}`) {
    case 'GET /:id':
    case 'DELETE /:id':
    case 'POST /:id/submit':
    case 'POST /:id/cancel':
      return [record];
    case 'PATCH /:id': {
      const change = minimalBody(resource, parent);
      const move: Attempt = { about: 'parent', target: () => `${path}/${first.id}`, body: (id) => ({ [field]: id }) };
      const canMove = isInside && !resource.fields.some(([name, , options]) => name === field && options?.immutable);
      return [{ ...record, body: () => change }, { ...record, body: () => ({}) }, ...(canMove ? [move] : [])];
    }
    case 'POST /reorder':
      return [
        { ...record, body: (id) => ({ items: [{ id, idx: 1 }] }) },
        {
          ...record,
          body: (id) => ({
            items: [
              { id: first.id, idx: 7 },
              { id, idx: 8 },
            ],
          }),
        },
      ];
    case 'POST ': {
      const bodies = [minimalBody(resource), { ...minimalBody(resource), ...(kind === 'line-item' && { idx: 3 }) }];
      return isInside
        ? bodies.map((body) => ({ about: 'parent', target: () => path, body: (id) => ({ ...body, [field]: id }) }))
        : [];
    }
    case 'GET ': {
      if (kind === 'singleton') return [];
      const query = kind === 'line-item' ? `parent_id=${parent}&` : '';
      const items: Attempt = { about: 'parent', target: (id) => `${path}?parent_id=${id}` };
      return [
        { ...record, target: (id) => `${path}?${query}after=${id}` },
        { ...record, target: (id) => `${path}?${query}limit=1&after=${id}` },
        ...(isInside ? [items] : []),
      ];
    }
    default:
      throw new Error(`The route ${method} ${path}${suffix} has no attempts.`);
  }
}

const contentOf = ({ text }: Answer): string => text.replace(/"request_id":"[^"]*"/, '');

const rowsOf = (database: TestDatabase, organization: number): Promise<readonly Row[][]> =>
  database.queryAll([
    ...service.tables.map(({ name }) => `select * from "${name}" where "_organization" = ${organization} order by id`),
    `select * from _row_counter where "_organization" = ${organization} order by 2, 3, 4`,
  ]);

const routes = service.app.routes.flatMap(({ method, path }) => {
  const resource = resources.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  return resource ? [{ method, resource, suffix: path.slice(resource.path.length) }] : [];
});

/** A server with two organizations that have the same things. */
class Scene implements AsyncDisposable {
  readonly database: TestDatabase;
  readonly server: TestServer;
  readonly a: Client;
  readonly b: Client;

  private constructor(database: TestDatabase, server: TestServer) {
    this.database = database;
    this.server = server;
    this.a = new Client('a', server);
    this.b = new Client('b', server);
  }

  static async open(database: TestDatabase): Promise<Scene> {
    const scene = new Scene(database, await startServer({ env: { DATABASE_URL: database.url } }));
    for (const [client, count] of [
      [scene.a, 2],
      [scene.b, 3],
    ] as const) {
      await client.open(database);
      await client.fill(count);
    }
    return scene;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    await this.database[Symbol.asyncDispose]();
  }
}

for (const engine of engines) {
  describeEngine(engine, 'a key of one organization', () => {
    let scene: Scene;
    beforeAll(async () => {
      scene = await Scene.open(await engine.create(service.tables));
    });
    afterAll(() => scene?.[Symbol.asyncDispose]());

    test('gets the same answers for what is in another one as for what is nowhere, on every route', async () => {
      const { database, a, b } = scene;
      const rows = await rowsOf(database, b.organization);
      let attempts = 0;
      for (const { method, resource, suffix } of routes) {
        for (const { about, target, body } of attemptsOf(method, suffix, resource, a)) {
          const foreign = about === 'record' ? b.one(resource).id : b.parentOf(resource);
          const unknown = newId(foreign.slice(0, foreign.lastIndexOf('_'))).id;
          const [found, expected] = [
            await a.ask(method, target(foreign), body?.(foreign)),
            await a.ask(method, target(unknown), body?.(unknown)),
          ];
          const what = `${method} ${target(foreign)} ${JSON.stringify(body?.(foreign))}`;
          expect([found.status, contentOf(found).replaceAll(foreign, unknown)], what).toEqual([
            expected.status,
            contentOf(expected),
          ]);
          if (suffix !== '') expect([404, 409], what).toContain(found.status);
          expect(await rowsOf(database, b.organization), what).toEqual(rows);
          attempts++;
        }
      }
      // At least one attempt for each route, except creates without a parent here and settings without an id.
      expect(attempts).toBeGreaterThan(routes.length);
    });

    test('sees its own records alone: lists, totals, settings and places of items of the same parent', async () => {
      const { database, a, b } = scene;
      for (const resource of resources) {
        const query = resource.kind === 'line-item' ? `?parent_id=${a.parentOf(resource)}` : '';
        const answer = await a.ask('GET', resource.path + query);
        const own = a.records.get(resource.name) ?? [];
        if (resource.kind === 'singleton') {
          expect(storedIn(answer)).toEqual(own[0]);
          expect(own[0]?.id).not.toBe(b.one(resource).id);
        } else {
          const ids = own.map(({ id }) => id);
          const { data, total } = pageIn(answer);
          expect([data.map(({ id }) => id), total]).toEqual([resource.kind === 'record' ? ids.toReversed() : ids, 2]);
        }
        if (resource.kind !== 'line-item') continue;
        const body = { ...minimalBody(resource, a.parentOf(resource)), ...typeOfParent(resource) };
        expect(storedIn(await a.ask('POST', resource.path, body), 201)['idx']).toBe(3);
      }
      await expectExactTotals(database, service.tables);
      // Changes and deletes of all that one has leave the other's.
      const rows = await rowsOf(database, b.organization);
      for (const resource of resources) {
        for (const { id } of a.records.get(resource.name) ?? []) {
          await a.ask('PATCH', `${resource.path}/${id}`, fullBody(resource, a.parentOf(resource), 9));
          await a.ask('DELETE', `${resource.path}/${id}`);
        }
      }
      expect(await rowsOf(database, b.organization)).toEqual(rows);
      await expectExactTotals(database, service.tables);
    });

    test('is not taken any more when its organization is deleted, also not for a body that was on its way', async () => {
      const { database, server, a, b } = scene;
      const [resource] = resources as [Resource];
      const body = Buffer.from(JSON.stringify(minimalBody(resource)));
      const socket = connect(server.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(
        `POST ${resource.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${a.key}\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${body.length}\r\n\r\n`,
      );
      socket.write(body.subarray(0, 5));
      const rows = await rowsOf(database, b.organization);
      const before = (await a.ask('GET', resource.path)).status;
      await administer(database, (connection) => deleteOrganization(features.list, connection, 'a', 1_200));
      expect([before, (await a.ask('GET', resource.path)).status]).toEqual([200, 401]);
      socket.write(body.subarray(5));
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
      socket.destroy();
      for (const found of await rowsOf(database, a.organization)) expect(found).toEqual([]);
      expect(await rowsOf(database, b.organization)).toEqual(rows);
      expect((await b.ask('GET', resource.path)).status).toBe(200);
    });
  });
}
