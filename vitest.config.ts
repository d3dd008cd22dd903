import { statfsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const longTests = 'test/**/*.long.test.ts';

/** Those that replace a module for all that is loaded after it, or load one anew. */
const mockingTests = 'test/**/*.mocks.test.ts';

/**
 * The seed of every random test: fixed, so that a run judges the change alone. `TEST_SEED=n` takes another, and
 * `npm run test:random` a new one.
 */
function chooseSeed(): string {
  const given = process.env['TEST_SEED'] || '1';
  const seed = given === 'random' ? Date.now() % 1_000_000_007 : Number(given);
  if (!Number.isSafeInteger(seed)) throw new Error(`TEST_SEED must be a whole number or "random", not "${given}".`);
  console.info(`Random tests: TEST_SEED=${seed}`);
  return String(seed);
}

/** Those that watch latencies: nothing else runs beside them. */
const latencyTests = 'test/attack/*.long.test.ts';

const memory = '/dev/shm';
const leastMemory = 2 * 1024 ** 3;

/**
 * A place in memory for temporary folders, if the system has one with room: waiting for the disk takes half of the time of many
 * tests. `npm run test:long` uses the disk.
 */
function fastFolder(): { TMPDIR?: string } {
  if (process.env['TMPDIR']) return {};
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= leastMemory ? { TMPDIR: memory } : {};
  } catch {
    return {};
  }
}

/** Those that take longest. In a fresh clone, Vitest begins with the largest files: at the end, all would wait for one of these. */
const slowTests = [
  'server/replicas',
  'package/library',
  'package/second-service',
  'generators/generators',
  'soak/soak',
  'webhooks/many',
  'reference/browser',
  'generator/large-specs',
  'contract/contract.long',
  'agency/agency',
  'server/crash',
  'generator/interrupted',
  'server/workers-life',
  'events/order',
  'document/document',
  'server/stops',
  'package/own-spec',
  'console/record-axe',
  'organizations/isolation',
  'generator/keywords.long',
  'generator/output.long',
  'console/record.long',
  'transfer/kill',
  'hooks/after',
  'webhooks/delivery',
  'migrate/postgres',
  'generator/dev',
  'keys/server',
  'versions/versions',
  'batch/batch',
  'generator/output',
  'generator/refusals',
  'server/postgres',
  'server/stop',
  'migrate/search',
  'hooks/before',
  'changes/database',
  'migrate/required',
  'organizations/requests',
  'organizations/organizations',
  'references/races',
  'observe/log',
  'observe/metrics',
  'store/values',
  'contract/contract',
  'events/history',
  'transfer/lookups',
];

/** Begins with the files that take longest, also if no earlier run tells how long each takes. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is the method of the sequencer
    const sorted = await super.sort(files);
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = slowTests.findIndex((name) => moduleId.includes(`/test/${name}.`));
      return place === -1 ? slowTests.length : place;
    };
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

/** Copies of the project have tests, too. */
const exclude = [...configDefaults.exclude, 'test/.tmp-*/**'];

const shared = {
  // The files of a worker share what they import: to load it for each takes a tenth of the time of all tests.
  isolate: false,
  // Node runs TypeScript as it is; to have Vite transform it takes another tenth.
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

const projects = [
  { ...shared, name: 'tests', include: ['test/**/*.test.ts'], exclude: [...exclude, longTests, mockingTests] },
  { name: 'mocks', include: [mockingTests], exclude },
];

const longProjects = [
  { ...shared, name: 'long', include: [longTests], exclude: [...exclude, latencyTests] },
  { ...shared, name: 'latencies', include: [latencyTests], exclude, sequence: { groupOrder: 1 } },
];

/** The mode `long` runs the files *.long.test.ts, and every other mode the others. */
export default defineConfig(({ mode }) => {
  const isLong = mode === 'long';
  return {
    test: {
      // Servers and compilers are started in tests: on a busy machine that takes a while.
      testTimeout: isLong ? 600_000 : 60_000,
      // Some check every statement that the tests of their file have sent.
      hookTimeout: 120_000,
      // The databases of PostgreSQL are dropped at the end.
      teardownTimeout: 60_000,
      expect: { poll: { timeout: isLong ? 30_000 : 10_000 } },
      globalSetup: 'test/support/generate-service.ts',
      pool: 'threads',
      // Most tests wait for servers: on two cores, two workers leave almost half of the time unused, and three some.
      maxWorkers: 4,
      sequence: { sequencer: SlowFirst },
      env: {
        // Every command and server that a test starts finds the compiled code of the one before it.
        NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/node-compile', import.meta.url)),
        TEST_SEED: chooseSeed(),
        ...(isLong ? { TEST_LONG: '1' } : fastFolder()),
      },
      projects: (isLong ? longProjects : projects).map((test) => ({ extends: true, test })),
    },
  };
});
