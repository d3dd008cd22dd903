import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { readService } from '../../generator/check/service.ts';
import { generate } from '../../generator/generate.ts';
import { reservedResourceNames, whyReserved } from '../../generator/model/language.ts';
import { sharedSchemaNames } from '../../generator/model/names.ts';
import { compile } from '../support/compiler.ts';
import { describeEngine, engines } from '../support/databases.ts';
import { createPostgres, postgresMissing } from '../support/postgres.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import { projectRoot } from '../support/server.ts';
import { resourcesNamed, textsOf, type Written } from './arbitrary.ts';
import { exercise } from './exercise.ts';
import { keywords, postgresKeywords } from './keywords.ts';
import { Servers } from './server.ts';

/** Resources of which the first may be the parent of the others. */
const groupSize = 5;

const taken = new Set<string>(['total', 'v', ...sharedSchemaNames.map((name) => name.toLowerCase())]);
const names = keywords.filter(
  (word) => whyReserved(reservedResourceNames, word) === undefined && !taken.has(word.replaceAll('_', '')),
);

const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));

/** Resources called by words in an order of the seed. */
const [shuffled = []] = fc.sample(fc.shuffledSubarray(names, { minLength: names.length }), { numRuns: 1, seed });
const groups = chunksOf(shuffled.slice(0, rounds(groupSize, 20, 500)), groupSize).map((words, index) => {
  const keys = words.map((word) => `area-${index}/${word.replaceAll('_', '-')}`);
  return fc.sample(resourcesNamed(keys), { numRuns: 1, seed: seed + index })[0] as Written[];
});

/** Names that our own SQL gave before they began with an underscore. */
const former: Written[] = [
  {
    path: 'spec/former/total.yaml',
    data: {
      kind: 'record',
      doc: 'A record.',
      fields: Object.fromEntries(
        ['r', 'n', 'at', 'ids', 'items', 'changed', 'rows', 'shard'].map((name) => [name, null]),
      ),
    },
  },
  {
    path: 'spec/former/v.yaml',
    data: {
      kind: 'line-item',
      doc: 'A line item.',
      parent: { field: 'last', resource: 'former/total' },
      fields: { last: { required: true }, parent: null, t: null, r: null, page: null, count: 'integer' },
    },
  },
];
const services = chunksOf([former, ...groups], 5).map((some, index) => ({
  name: `words-${index}`,
  specs: textsOf(some.flat()),
}));

// Inside of the project, where imports find its packages; with a dot, so that its own checks do not look in here.
const folder = mkdtempSync(join(projectRoot, 'test/.tmp-'));

beforeAll(async () => {
  symlinkSync(join(projectRoot, 'runtime'), join(folder, 'runtime'));
  const files: string[] = [];
  for (const { name, specs } of services) {
    for (const [path, text] of (await generate(specs)).files) {
      const target = join(folder, name, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
      if (path.endsWith('.ts')) files.push(join(name, path));
    }
  }
  const settings = { extends: '../../tsconfig.json', files, include: [], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
});

beforeEach(repeatable);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(services)('keywords are valid names: $name', ({ specs }) => {
  expect(readService(specs).diagnostics).toEqual([]);
});

// In `npm test`, the random specs of output.test.ts are type-checked, which have such names as well.
if (rounds(0, 1) === 1) {
  // With TEST_FULL=1 it takes minutes, and 4 GB.
  test('tsc has nothing to say', async () => {
    expect(await compile(folder)).toBe('');
  });
}

for (const engine of engines) {
  describeEngine(engine, 'every operation of resources that are called by keywords', () => {
    test.each(services)('$name', async (service) => {
      const all = readService(service.specs).service?.resources ?? [];
      expect(all.length).toBeGreaterThanOrEqual(groupSize);
      await using database = await engine.create();
      const file = join(folder, service.name, 'server.ts');
      const servers = new Servers([file], () => database.url);
      try {
        await servers.started();
        const server = servers.of(file);
        for (const resource of all) await exercise(server, resource, all);
      } finally {
        expect(await servers.stop()).toBe(0);
      }
    });
  });
}

describe.skipIf(postgresMissing !== undefined)('the list of keywords', () => {
  test('has those of this PostgreSQL, or all but those of a newer one', async () => {
    await using database = await createPostgres();
    const [version] = await database.query<{ number: number }>(
      `select current_setting('server_version_num')::int / 10000 as number`,
    );
    const words = await database.query<{ word: string }>('select word from pg_get_keywords()');
    const missing = words.map(({ word }) => word).filter((word) => !postgresKeywords.includes(word));
    expect((version?.number ?? 0) > 15 ? [] : missing).toEqual([]);
  });
});
