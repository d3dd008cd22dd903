import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { generate } from '../../generator/generate.ts';
import { describeEngine, engines, type TestDatabase } from '../support/databases.ts';
import { longRounds, repeatable, seed } from '../support/seed.ts';
import { projectRoot } from '../support/server.ts';
import { sample } from './arbitrary-rules.ts';
import { rows, sampleFields } from './rule-rows.ts';
import { Servers } from './server.ts';

beforeEach(repeatable);

/** No rule is for a record that picks this one, and all of them are for one that picks the other. */
const [none, all] = [-2, -1];

/** The rows in resources, which have at most 100 rules. */
const parts = { first: rows.slice(0, 60), second: rows.slice(60) };

const specOf = (some: typeof rows): string =>
  [
    `kind: record\ndoc: A record.\nfields:${sampleFields}\n  pick: { type: integer, required: true }\nrules:`,
    ...some.map(
      ([that], index) =>
        `  - { when: 'pick in [${index}, ${all}]', that: '${that.replaceAll("'", "''")}', message: m${index} }`,
    ),
  ].join('\n');

for (const engine of engines) {
  describeEngine(engine, 'rules of a generated server', () => {
    let folder: string;
    let servers: Servers;
    let database: TestDatabase;

    beforeAll(async () => {
      folder = mkdtempSync(join(projectRoot, 'test/.tmp-'));
      symlinkSync(join(projectRoot, 'runtime'), join(folder, 'runtime'));
      const specs = new Map([
        ['spec/service.yaml', readFileSync(join(projectRoot, 'test/golden/service.yaml'), 'utf8')],
        ...Object.entries(parts).map(([name, some]) => [`spec/a/${name}.yaml`, specOf(some)] as const),
      ]);
      const { files, diagnostics } = await generate(specs);
      expect(diagnostics).toEqual([]);
      for (const [path, text] of files) {
        const target = join(folder, 'generated', path);
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, text);
      }
      database = await engine.create();
      servers = new Servers([join(folder, 'generated/server.ts')], () => database.url);
      await servers.started();
    });

    afterAll(async () => {
      expect(await servers.stop()).toBe(0);
      await database[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    });

    test.each(Object.entries(parts))('creates and updates of %s', { timeout: 600_000 }, async (name, some) => {
      const server = servers.of(join(folder, 'generated/server.ts'));
      const path = `/api/a/${name}`;
      await fc.assert(
        fc.asyncProperty(sample, fc.nat({ max: some.length - 1 }), async (record, pick) => {
          const now = new Date().toISOString();
          const broken = some.flatMap(([, holds], index) => (holds(record, now) ? [] : [`m${index}`]));
          const isBroken = broken.includes(`m${pick}`);
          const messages = async (method: string, at: string, status: number, body: object): Promise<string[]> => {
            const { errors = [] } = (await server.request(method, at, status, body)) as {
              errors?: { message: string; code: string }[];
            };
            expect(errors.every(({ code }) => code === 'rule_violated')).toBe(true);
            return errors.map(({ message }) => message);
          };
          await messages('POST', path, isBroken ? 422 : 201, { ...record, pick });
          expect(await messages('POST', path, broken.length > 0 ? 422 : 201, { ...record, pick: all })).toEqual(broken);
          const { id } = (await server.request('POST', path, 201, { ...record, pick: none })) as { id: string };
          const violated = await messages('PATCH', `${path}/${id}`, isBroken ? 422 : 200, { pick });
          expect(violated).toEqual(isBroken ? [`m${pick}`] : []);
        }),
        { seed, numRuns: longRounds(100, 2_000) },
      );
    });
  });
}
