import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import { lineItemNamed, lineItems, recordNamed, records, singletonNamed } from '../service/resources.ts';
import { describeEngine, engines, expectExactTotals, type TestDatabase } from '../support/databases.ts';
import type { Problem } from '../support/problem.ts';
import { Random } from '../support/random.ts';
import type { Resource } from '../support/resources.ts';
import { fullBody, minimalBody, sample } from '../support/samples.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Operation, type Result, send, tables, withoutPlace } from './batch.ts';

const batches = rounds(40, 120, 2_000);
const order = recordNamed('order');
const line = lineItemNamed('order_line');
const settings = singletonNamed('booking_settings');
const used = [
  order,
  order,
  line,
  line,
  lineItemNamed('bom_item'),
  lineItemNamed('discount_brand'),
  recordNamed('lead'),
];

const idPattern = /(?<![a-z_])[a-z_]+_[0-9A-HJKMNP-TV-Z]{26}/g;
const timePattern = /"(created|updated)_at":"[^"]*"/g;

/** A record that both servers have, each with an id of its own. */
type Twin = readonly [inBatches: string, alone: string];

/** Operations about records that are there or are made by the same batch. */
class Choice {
  readonly #random: Random;
  readonly twins = new Map<Resource, Twin[]>([...records, ...lineItems].map((one) => [one, []]));
  /** The creates among the operations so far, with their places. */
  #made: { readonly resource: Resource; readonly place: number }[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  batch(): { inBatch: Operation; alone: (ids: readonly string[]) => Operation; resource: Resource }[] {
    this.#made = [];
    return Array.from({ length: 1 + this.#random.below(8) }, (_, place) => {
      const { resource, make, creates } = this.#operation();
      if (creates) this.#made.push({ resource, place });
      const inBatch = make(
        (id) => ('place' in id ? { result: id.place } : id.twin[0]),
        (id) => ('place' in id ? `{result:${id.place}}` : id.twin[0]),
      );
      return {
        resource,
        inBatch,
        alone: (ids) => {
          const own = (id: Id): string => ('place' in id ? ids[id.place]! : id.twin[1]);
          return make(own, own);
        },
      };
    });
  }

  /** A record of a kind: one of this batch, one that is there, or one that is not. */
  #id(resource: Resource): Id {
    const random = this.#random;
    const made = this.#made.filter((one) => one.resource === resource);
    if (made.length > 0 && random.chance(0.6)) return { place: random.of(made).place };
    const twins = this.twins.get(resource) ?? [];
    if (twins.length === 0 || random.chance(0.03)) return { twin: [`${resource.name}_0`, `${resource.name}_0`] };
    return { twin: random.of(twins.slice(-20)) };
  }

  #operation(): { resource: Resource; creates: boolean; make: Make } {
    const random = this.#random;
    const resource = random.of(used);
    const isItem = resource.kind === 'line-item';
    const parent: Id =
      resource === line
        ? this.#id(order)
        : {
            twin: random.of([
              ['a', 'a'],
              ['b', 'b'],
            ]),
          };
    const field = isItem ? resource.parentField : '';
    const variant = random.below(4);
    const kinds = { create: 8, update: 5, move: 2, transition: 2, delete: 2, reorder: 2, wrong: 0.3 };
    const kind = random.weighted(kinds);
    const id = this.#id(resource);
    const other = this.#id(resource);
    switch (kind) {
      case 'update': {
        const name = random.of(resource.fields.filter(([, , options]) => !options?.readOnly)).at(0) as string;
        if (name === field) break;
        const body = { [name]: sample(resource, name, variant) };
        return {
          resource,
          creates: false,
          make: (_, path) => ({ method: 'PATCH', path: `${resource.path}/${path(id)}`, body }),
        };
      }
      case 'move':
        if (!isItem) break;
        return {
          resource,
          creates: false,
          make: (value, path) => ({
            method: 'PATCH',
            path: `${resource.path}/${path(id)}`,
            body: { [field]: value(parent) },
          }),
        };
      case 'transition': {
        const move = random.of(['submit', 'cancel']);
        const of = this.#id(order);
        return {
          resource: order,
          creates: false,
          make: (_, path) => ({ method: 'POST', path: `${order.path}/${path(of)}/${move}` }),
        };
      }
      case 'delete':
        return {
          resource,
          creates: false,
          make: (_, path) => ({ method: 'DELETE', path: `${resource.path}/${path(id)}` }),
        };
      case 'reorder':
        if (!isItem) break;
        return {
          resource,
          creates: false,
          make: (value) => ({
            method: 'POST',
            path: `${resource.path}/reorder`,
            body: {
              items: isDeepStrictEqual(id, other)
                ? [{ id: value(id), idx: variant }]
                : [
                    { id: value(id), idx: variant },
                    { id: value(other), idx: -variant },
                  ],
            },
          }),
        };
      case 'wrong': {
        const wrong = random.of<Operation>([
          { method: 'POST', path: resource.path, body: { unknown: 1 } },
          { method: 'DELETE', path: settings.path },
          { method: 'PATCH', path: '/api/nowhere', body: {} },
        ]);
        return { resource, creates: false, make: () => wrong };
      }
      case 'create':
    }
    const body = random.chance(0.5) ? minimalBody(resource) : fullBody(resource, undefined, variant);
    if (isItem && random.chance(0.7)) delete body['idx'];
    return {
      resource,
      creates: true,
      make: (value) => ({
        method: 'POST',
        path: resource.path,
        body: isItem ? { ...body, [field]: value(parent) } : body,
      }),
    };
  }
}

type Id = { readonly place: number } | { readonly twin: Twin };
type Make = (value: (id: Id) => unknown, path: (id: Id) => string) => Operation;

beforeEach(repeatable);

for (const engine of engines) {
  describeEngine(engine, 'random batches', () => {
    let databases: [TestDatabase, TestDatabase];
    let servers: [TestServer, TestServer];

    beforeAll(async () => {
      databases = await Promise.all([engine.create(service.tables), engine.create(service.tables)]);
      const start = ({ url }: TestDatabase): Promise<TestServer> => startServer({ env: { DATABASE_URL: url } });
      servers = await Promise.all([start(databases[0]), start(databases[1])]);
    });
    afterAll(async () => {
      for (const server of servers ?? []) await server.close();
      for (const database of databases ?? []) await database[Symbol.asyncDispose]();
    });

    test('do what their operations do one by one, up to the first that fails; then nothing', async () => {
      const [batched, single] = servers;
      const choice = new Choice(new Random(seed));
      /** The ids of the first server by those of the second. */
      const ids = new Map<string, string>();
      const comparable = (value: unknown): string =>
        JSON.stringify(value)
          .replace(idPattern, (id) => ids.get(id) ?? id)
          .replace(timePattern, '"$1_at":""');
      let failures = 0;

      for (let round = 0; round < batches; round++) {
        const operations = choice.batch();
        const made: string[] = [];
        const alone: Result[] = [];
        let problem: Problem | undefined;
        for (const operation of operations) {
          const { method, path, body } = operation.alone(made);
          const answer = await single.request(method, path, body);
          if (answer.status >= 400) {
            problem = answer.body as Problem;
            break;
          }
          alone.push({ status: answer.status, body: answer.body as Result['body'] });
          made.push(String(alone.at(-1)?.body['id']));
        }
        const wanted = operations.slice(0, alone.length).map(({ inBatch }) => inBatch);
        const context = JSON.stringify(operations.map(({ inBatch }) => inBatch));
        let failure: Problem | undefined;
        if (problem) {
          failures++;
          const answer = await send(
            batched,
            operations.map(({ inBatch }) => inBatch),
          );
          expect(answer.status, context + answer.text).toBe(problem.status);
          failure = answer.body as Problem;
          expect(failure, context).toMatchObject({ operation: alone.length });
        }
        if (wanted.length > 0) {
          const answer = await send(batched, wanted);
          expect(answer.status, context + answer.text).toBe(200);
          const { results } = answer.body as { results: Result[] };
          for (const [place, { status, body }] of alone.entries()) {
            if (status !== 201) continue;
            const twin = [String(results[place]?.body['id']), String(body['id'])] as const;
            ids.set(twin[1], twin[0]);
            choice.twins.get(operations[place]!.resource)?.push(twin);
          }
          expect(comparable(results.map(({ status, body }) => ({ status, body }))), context).toBe(comparable(alone));
        }
        // Its words may name a record that the operations before it have made, which is another one the second time.
        if (problem && failure && made.every((id) => !JSON.stringify(problem).includes(id))) {
          expect(comparable(withoutPlace(failure)), context).toBe(comparable(withoutPlace(problem)));
        }
      }
      // Else the choices above are bad ones.
      expect(failures).toBeGreaterThan(batches / 20);
      expect(failures).toBeLessThan(batches / 1.5);
      for (const database of databases) await expectExactTotals(database, tables);
    });
  });
}
