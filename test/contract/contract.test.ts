import { beforeEach, expect, test } from 'vitest';

import { describeEngine, engines } from '../support/databases.ts';
import { generateProject } from '../support/project.ts';
import { Random } from '../support/random.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { Choices } from './choices.ts';
import { Judge } from './judge.ts';
import { textsOfWorlds, worldOf } from './linked.ts';
import { LinkedRequests } from './linked-requests.ts';
import { type Resource, resources as all, textsOf } from './spec.ts';

const requests = rounds(600, 1_500, 20_000);
const lanes = 8;

interface Service {
  readonly texts: ReadonlyMap<string, string>;
  /** Functions that send a random request each and judge the answer: these can run at once. */
  readonly lanes: (server: TestServer) => readonly (() => Promise<string>)[];
}

/** The resources of a service, in turn, each with random requests of its own. */
const serviceOf = (resources: readonly Resource[]): Service => ({
  texts: textsOf(resources),
  lanes(server) {
    const groups = Object.values(Object.groupBy(resources, (resource) => resources.indexOf(resource) % lanes));
    return groups.map((group) => {
      const asked = group!.map((resource) => {
        const judge = new Judge(server, resource);
        return { judge, choices: new Choices(new Random(seed * 1_000 + all.indexOf(resource)), resource, judge.model) };
      });
      let next = 0;
      return () => {
        const { judge, choices } = asked[next++ % asked.length]!;
        return judge.judge(choices.next());
      };
    });
  },
});

const worlds = Array.from({ length: rounds(3, 9) }, (_, n) => worldOf((4 * n) % 9));

const linked: Service = {
  texts: textsOfWorlds(worlds),
  lanes: (server) =>
    worlds.map((world, n) => {
      const linkedRequests = new LinkedRequests(server, new Random(seed * 1_000 + n), world);
      return () => linkedRequests.next();
    }),
};

/** The start of a service with all resources would take long. A short run has one of them, and the one of references. */
const services: readonly Service[] = [
  linked,
  ...Array.from({ length: rounds(1, 4) }, (_, n) =>
    serviceOf(all.filter((_resource, place) => place % rounds(15, 4) === n)),
  ),
];

const projects = await Promise.all(services.map(({ texts }) => generateProject(texts)));

beforeEach(repeatable);

for (const engine of engines) {
  describeEngine(engine, 'fields of every combination', () => {
    const seen = new Map<string, number>();

    test.each([...services.entries()])(
      `${requests} random requests get the answers of the contract: %i`,
      async (n, { lanes: lanesOf }) => {
        const database = await engine.create();
        const server = await startServer({ project: projects[n]!, env: { DATABASE_URL: database.url } });
        try {
          const asked = lanesOf(server);
          await Promise.all(
            asked.map(async (next) => {
              for (let count = 0; count < requests / asked.length; count++) {
                const answer = await next();
                seen.set(answer, (seen.get(answer) ?? 0) + 1);
              }
            }),
          );
        } finally {
          await server.close();
          await database[Symbol.asyncDispose]();
        }
      },
    );

    test('are done or refused in every way', () => {
      console.info(`Answers on ${engine.name}: ${JSON.stringify(Object.fromEntries([...seen].toSorted()))}`);
      const often = ['create', 'update', 'delete', 'batch', 'list', '409 not_unique', '422 invalid_body'];
      for (const answer of often) expect(seen.get(answer) ?? 0, answer).toBeGreaterThan(requests / 200);
      const codes = ['reference_missing', 'still_referenced', 'parent_missing', 'wrong_state'];
      const others = [
        'reorder',
        'retrieve',
        '400 invalid_query',
        '404 not_found',
        '412 stale',
        ...codes.map((code) => `409 ${code}`),
      ];
      expect([...seen.keys()]).toEqual(expect.arrayContaining(others));
    });
  });
}
