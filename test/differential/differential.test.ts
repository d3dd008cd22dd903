import { inspect } from 'node:util';
import { beforeEach, expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import * as tables from '../service/generated/tables.ts';
import { records, resources } from '../service/resources.ts';
import type { Resource } from '../support/resources.ts';
import { citus, type Engine, engines, exceptions, type TestDatabase } from '../support/databases.ts';
import type { Stored } from '../support/records.ts';
import { minimalBody } from '../support/samples.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { Lane, type Request } from './lane.ts';
import { type Difference, Pair } from './pair.ts';
import { Random } from '../support/random.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';

const requests = rounds(1_500, 5_000, 30_000);
const mostShown = 5;

/** Resources that change each other's records, together. */
function families(): Resource[][] {
  const parentOf = (resource: Resource): string =>
    (resource.kind === 'line-item' && resource.parentResource) || resource.name;
  return Object.values(Object.groupBy(resources, parentOf)) as Resource[][];
}

function shown({ request, answers }: Difference): string {
  const body = request.body instanceof Uint8Array ? inspect(request.body) : request.body?.slice(0, 1_000);
  return [
    `${request.method} ${request.path} ${body ?? ''}`,
    ...answers.map(({ status, headers, text }) => `  ${status} ${headers.join(' ')}\n  ${text.slice(0, 1_000)}`),
  ].join('\n');
}

const wanted = ['DELETE', 'GET', 'GET after', 'HEAD', 'PATCH', 'POST', 'POST cancel', 'POST reorder', 'POST submit'];

/** The kind of a request, in a word. */
function kindOf({ method, path }: Request): string {
  const special = /\/(?:submit|cancel|reorder)$|[?&]after(?==.)/.exec(path)?.[0].slice(1);
  return special === undefined || method === 'HEAD' ? method : `${method} ${special}`;
}

const [sqlite, ...others] = [...engines, citus];
for (const { name, missing } of others) {
  if (missing !== undefined) console.warn(`The answers of SQLite and ${name} are not compared: ${missing}.`);
}
for (const { engine, what, reason } of exceptions) console.info(`Differs on ${engine}: ${what}, because ${reason}.`);

beforeEach(repeatable);

test.for(others.filter(({ missing }) => missing === undefined))(
  `${requests} random requests get the same answers from a server on SQLite and one on $name`,
  { timeout: rounds(300_000, 600_000) },
  async (other) => {
    const databases: TestDatabase[] = [];
    const servers: TestServer[] = [];
    try {
      for (const engine of [sqlite as Engine, other]) {
        const database = await engine.create(service.tables);
        databases.push(database);
        await database.prepare?.(Object.values(tables));
        servers.push(await startServer({ env: { DATABASE_URL: database.serverUrl ?? database.url } }));
      }
      const pair = new Pair(servers as [TestServer, TestServer]);
      const differences: Difference[] = [];
      const statuses = new Map<number, number>();
      const done = new Map<string, number>();
      const foreign: string[] = [];
      for (const record of records) {
        const request = { method: 'POST', path: record.path, headers: { 'content-type': 'application/json' } };
        const answer = await pair.ask({ ...request, body: JSON.stringify(minimalBody(record)) });
        if ('answers' in answer) throw new Error(shown(answer));
        foreign.push((answer.body as Stored).id);
      }
      const groups = families();
      await Promise.all(
        groups.map(async (group, place) => {
          const lane = new Lane(group, new Random(seed * 100 + place), foreign);
          for (const { kind, path } of group) {
            if (kind === 'singleton') lane.learn({ method: 'GET', path }, 200, await pair.matchOnly(path));
          }
          // As many for each resource, wherever it belongs.
          const share = Math.ceil((requests * group.length) / resources.length);
          for (let n = 0; n < share && differences.length < mostShown; n++) {
            const request = lane.next();
            const answer = await pair.ask(request);
            if ('answers' in answer) {
              differences.push(answer);
              continue;
            }
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
            if (answer.status < 300) done.set(kindOf(request), (done.get(kindOf(request)) ?? 0) + 1);
            lane.learn(request, answer.status, answer.body);
          }
        }),
      );
      pair.close();
      expect(differences.map(shown)).toEqual([]);
      const counted = (counts: ReadonlyMap<unknown, number>): string =>
        [...counts]
          .toSorted()
          .map(([what, count]) => `${String(what)}: ${count}`)
          .join(', ');
      console.info(`Answers by status: ${counted(statuses)}. Done by kind: ${counted(done)}.`);
      // A slip in the making of requests must not leave them all refused, or all taken.
      expect([...done.keys()].toSorted()).toEqual(wanted);
      for (const status of [200, 201, 400, 401, 404, 405, 409, 415, 422]) expect(statuses.has(status)).toBe(true);
      for (const status of statuses.keys()) expect(status).toBeLessThan(500);
    } finally {
      for (const server of servers) await server.close();
      for (const database of databases) await database[Symbol.asyncDispose]();
    }
  },
);
