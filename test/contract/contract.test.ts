import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';

import { citus, describeEngine, engines } from '../support/databases.ts';
import { generateProject } from '../support/project.ts';
import { Random } from '../support/random.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { Choices } from './choices.ts';
import { Judge } from './judge.ts';
import { textsOfWorlds, type World, worldOf } from './linked.ts';
import { LinkedRequests } from './linked-requests.ts';
import { oddRequest } from './odd-requests.ts';
import { type Resource, resources as all, textsOf } from './spec.ts';
import { Transcript } from './transcript.ts';

const requests = rounds(600, 1_000, 20_000);
const lanes = 8;

/** A part of a service that no request to another part changes. */
interface Subject {
  /** Sends a random request and judges the answer. */
  readonly next: () => Promise<string>;
  /** The answers: they must be the same on each engine. */
  readonly transcript: Transcript;
}

interface Service {
  readonly texts: ReadonlyMap<string, string>;
  readonly subjects: (server: TestServer) => readonly Subject[];
}

/** Whether lists depend on the milliseconds in which records are created. */
const isTimed = ({ fields }: Resource): boolean =>
  fields.some(({ moment, filter, sort }) => moment === 'now' && (filter || sort));

/** A resource, and its random requests. Only the model judges the answers of one whose lists depend on times. */
function subjectOf(server: TestServer, resource: Resource): Subject {
  const transcript = new Transcript(server);
  const judge = new Judge(isTimed(resource) ? server : transcript, resource);
  const random = new Random(seed * 1_000 + all.indexOf(resource));
  const choices = new Choices(random, resource, judge.model);
  const next = (): Promise<string> =>
    random.chance(0.2) ? judge.judgeOdd(oddRequest(random, resource.path, judge.lastId)) : judge.judge(choices.next());
  return { next, transcript };
}

function linkedSubject(server: TestServer, world: World, place: number): Subject {
  const transcript = new Transcript(server);
  const linkedRequests = new LinkedRequests(transcript, new Random(seed * 1_000 + place), world);
  return { next: () => linkedRequests.next(), transcript };
}

const serviceOf = (resources: readonly Resource[]): Service => ({
  texts: textsOf(resources),
  subjects: (server) => resources.map((resource) => subjectOf(server, resource)),
});

const worlds = Array.from({ length: rounds(3, 9) }, (_, n) => worldOf((4 * n) % 9));

const linked: Service = {
  texts: textsOfWorlds(worlds),
  subjects: (server) => worlds.map((world, n) => linkedSubject(server, world, n)),
};

/** The start of a service with all resources would take long. A short run has one of them, and the one of references. */
const services: readonly Service[] = [
  linked,
  ...Array.from({ length: rounds(1, 4) }, (_, n) =>
    serviceOf(all.filter((_resource, place) => place % rounds(15, 4) === n)),
  ),
];

const projects = await Promise.all(services.map(({ texts }) => generateProject(texts)));

/** The answers to each service, by subject, of the engine that was first asked. */
const firstAnswers = new Map<number, readonly (readonly string[])[]>();

function expectSameAnswers(service: number, answers: readonly (readonly string[])[]): void {
  for (const [subject, expected] of firstAnswers.getOrInsert(service, answers).entries()) {
    const at = expected.findIndex((answer, n) => answer !== answers[subject]?.[n]);
    expect(answers[subject]?.[at]).toBe(expected[at]);
  }
}

beforeEach(repeatable);

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'fields of every combination', () => {
    const seen = new Map<string, number>();

    test.each([...services.entries()])(
      `${requests} random requests get the answers of the contract, as on other engines: %i`,
      async (n, { subjects: subjectsOf }) => {
        const database = await engine.create();
        const project = projects[n]!;
        await database.prepare?.(Object.values(await import(join(project, 'generated/tables.ts'))));
        const env = { DATABASE_URL: database.serverUrl ?? database.url };
        const server = await startServer({ project, env });
        try {
          const subjects = subjectsOf(server);
          const groups = Object.values(Object.groupBy(subjects, (subject) => subjects.indexOf(subject) % lanes));
          await Promise.all(
            groups.map(async (group = []) => {
              for (let count = 0; count < requests / groups.length; count++) {
                const answer = await group[count % group.length]!.next();
                seen.set(answer, (seen.get(answer) ?? 0) + 1);
              }
            }),
          );
          expectSameAnswers(
            n,
            subjects.map(({ transcript }) => transcript.answers),
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
        '422 rule_violated',
        ...codes.map((code) => `409 ${code}`),
        ...[200, 400, 401, 404, 405, 415, 422].map((status) => `odd ${status}`),
      ];
      expect([...seen.keys()]).toEqual(expect.arrayContaining(others));
    });
  });
}
