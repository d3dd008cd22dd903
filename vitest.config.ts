import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const longTests = 'test/**/*.long.test.ts';

/** Those that replace a module for all that is loaded after it. */
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

const { exclude } = configDefaults;

const projects = [
  // The files of a worker share what they import: to load it for each takes a tenth of the time of all tests.
  { name: 'tests', isolate: false, include: ['test/**/*.test.ts'], exclude: [...exclude, longTests, mockingTests] },
  { name: 'mocks', include: [mockingTests] },
];

const longProjects = [
  { name: 'long', include: [longTests], exclude: [...exclude, latencyTests] },
  { name: 'latencies', include: [latencyTests], sequence: { groupOrder: 1 } },
];

/** The mode `long` runs the files *.long.test.ts, and every other mode the others. */
export default defineConfig(({ mode }) => {
  const isLong = mode === 'long';
  return {
    test: {
      // Servers and compilers are started in tests: on a busy machine that takes a while.
      testTimeout: isLong ? 600_000 : 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 10_000 } },
      pool: 'threads',
      maxWorkers: 2,
      env: {
        // Every command and server that a test starts finds the compiled code of the one before it.
        NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/node-compile', import.meta.url)),
        TEST_SEED: chooseSeed(),
        ...(isLong && { TEST_LONG: '1' }),
      },
      projects: (isLong ? longProjects : projects).map((test) => ({ extends: true, test })),
    },
  };
});
