// Measures the real server beside two floors: `npm run bench -- --help` names the options.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Engine } from './databases/database.ts';
import { postgresEngine, postgresUrl } from './databases/postgres.ts';
import { sqliteEngine } from './databases/sqlite.ts';
import { measureFinding } from './finding.ts';
import { measureFirstList } from './first-list.ts';
import { measureOrganizations } from './organizations.ts';
import { measureLogAndMetrics } from './log-and-metrics.ts';
import { readOptions } from './options.ts';
import { othersVisible } from './processes.ts';
import { keepAsRelease } from './release.ts';
import { reportOf } from './report.ts';
import { measureSizes } from './sizes.ts';
import { measureStreams } from './streams.ts';

/** Share of the machine that other programs may have before the numbers are called unreliable. */
const quiet = 0.1;

const progress = (text: string): void => {
  if (process.stderr.isTTY) console.error(`… ${text}`);
};

/** A folder that goes away with this process, and the processes with it: see Child. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'records-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** PostgreSQL, where it is there; else says why not, by an error where it is `required`. */
async function reachPostgres(required: boolean): Promise<Engine | undefined> {
  try {
    return await postgresEngine();
  } catch (error) {
    const { host } = new URL(postgresUrl);
    const reason = `PostgreSQL cannot be reached at ${host}: ${(error as Error).message}. Set TEST_POSTGRES_URL.`;
    if (required) throw new Error(reason, { cause: error });
    console.log(`Left out: ${reason}\n`);
    return undefined;
  }
}

async function run(): Promise<void> {
  const options = await readOptions();
  const folder = temporaryFolder();
  await using engines = new AsyncDisposableStack();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void engines.disposeAsync().finally(() => process.exit(130)));
  }
  const { seconds, rounds, seed, workers } = options;
  console.log(
    `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} cores, ${process.platform} ${process.arch}, ` +
      `Node ${process.versions.node}${workers === undefined ? '' : `, WORKERS=${workers}`}\n` +
      `Each client has one request under way; medians of ${rounds} rounds of ${seconds} s each; seed ${seed}` +
      `${othersVisible ? '' : '; of other processes than the first, CPU and memory cannot be seen here'}\n`,
  );

  const { database, organizations } = options;
  const sqlite = database === 'postgres' ? undefined : engines.use(sqliteEngine(folder, options.keep));
  if (sqlite && options.logAndMetrics) {
    console.log(`${sqlite.place}\n${await measureLogAndMetrics(sqlite, options, folder, progress)}`);
    return;
  }
  const postgres = database === 'sqlite' ? undefined : await reachPostgres(database !== undefined);
  if (postgres) engines.use(postgres);
  for (const engine of [sqlite, postgres]) {
    if (!engine) continue;
    if (organizations !== undefined) {
      console.log(`${engine.place}\n${await measureOrganizations(engine, organizations, options, progress)}\n`);
      continue;
    }
    if (options.finding) {
      console.log(`${engine.place}\n${await measureFinding(engine, options, progress)}\n`);
      continue;
    }
    if (options.lists) {
      console.log(`${engine.place}\n${await measureFirstList(engine, options, progress)}\n`);
      continue;
    }
    if (options.streams) {
      console.log(`${engine.place}\n${await measureStreams(engine, options, progress)}\n`);
      continue;
    }
    const results = await measureSizes(engine, options, progress);
    const unreliable = results.others > quiet;
    console.log(
      `${engine.place}\n` +
        `Leads of ${results.answers}; floors answer 1,024 bytes\n` +
        'Of as many line items, a tenth has one parent, 1,000 (at most a twentieth) another, 20 each every other\n' +
        `Other programs had ${(results.others * 100).toFixed(0)}% of the machine meanwhile` +
        `${unreliable ? ': too much for reliable numbers, repeat it when the machine is idle.' : '.'}\n\n` +
        `${reportOf(engine.name, results, engine === sqlite)}\n`,
    );
    if (options.release) keepAsRelease(engine.name, results);
  }
}

try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
