import { checkAnswers } from './answers.ts';
import { Child } from './child.ts';
import type { Database, Engine } from './databases/database.ts';
import { type DeepOffset, measureDeepOffset } from './deep-offset.ts';
import { type FirstAnswers, measureFirstAnswers } from './first-answers.ts';
import { leadPath } from './leads.ts';
import { type Compared, measure } from './measure.ts';
import type { Options } from './options.ts';
import { watchOthers } from './others.ts';
import { prepare } from './prepare.ts';
import type { Usage } from './processes.ts';
import { randomFrom } from './random.ts';
import { ask, startServer, timeStarts } from './server.ts';
import { floorOf, type Target, targetsOf } from './targets.ts';

const starts = 5;
const warmUp = 0.5; // seconds

/** The figures of one server besides its answers. */
export interface SizeResult {
  readonly rows: number;
  /** Milliseconds to its first answer. */
  readonly start: number;
  readonly memory: { readonly begin: Usage; readonly firstRound: Usage; readonly end: Usage };
  /** Leads that were there when all was done. */
  readonly rowsAtEnd: number;
}

export interface Results {
  readonly targets: readonly Target[];
  /** For each round, what was measured of each target. */
  readonly rounds: readonly (readonly Compared[])[];
  readonly sizes: readonly SizeResult[];
  /** On the largest table, one for each round; none where they are not asked for. */
  readonly deepOffsets: readonly DeepOffset[];
  /** The same of new connections. */
  readonly firstAnswers: readonly FirstAnswers[];
  /** Sizes of the answers, in words. */
  readonly answers: string;
  /** The share of the machine that other programs had. */
  readonly others: number;
}

/** The measurements of one target, one for each round. */
export const measurementsOf = ({ rounds }: Results, target: number): Compared[] =>
  rounds.map((round) => round[target] as Compared);

/** The server over a table of some size. */
export interface Size {
  readonly rows: number;
  readonly database: Database;
  readonly start: number;
  readonly server: Child;
}

/** Measures the server over tables of every size, and the floors beside it, round by round. */
export async function measureSizes(
  engine: Engine,
  options: Options,
  progress: (text: string) => void,
): Promise<Results> {
  const { workers, connections, seconds, rounds, only, seed } = options;
  const sizes: Size[] = [];
  for (const rows of options.rows) {
    progress(`${engine.name}: ${rows.toLocaleString('en')} leads and line items`);
    const database = await prepare(engine, rows, options.keep !== undefined);
    const start = await timeStarts(starts, leadPath, database.url, workers);
    sizes.push({ rows, database, start, server: await startServer(database.url, { workers, observed: true }) });
  }
  const largest = sizes.at(-1) as Size;
  const node = await Child.start('test/bench/floor-node.ts', { observed: true });
  const hono = await Child.start('test/bench/floor-hono.ts', { observed: true });
  const servers = sizes.map(({ server }) => server);
  const others = [node, hono];
  const memoryAtBegin = await usagesOf(servers);
  let answers = '';
  for (const { server, rows } of sizes) answers = await checkAnswers(server, rows);

  const floor = floorOf('Hono', hono, connections);
  const targets = [floor, floorOf('node:http', node, connections), ...targetsOf(sizes, options)];
  const results: Compared[][] = [];
  const deepOffsets: DeepOffset[] = [];
  const firstAnswers: FirstAnswers[] = [];
  const random = randomFrom(seed);
  let memoryAfterFirst: Usage[] = [];
  const otherPrograms = await watchOthers(
    [...others, ...servers],
    sizes.map(({ database }) => database),
  );
  for (let i = 1; i <= rounds; i++) {
    const round: Compared[] = [];
    let floorCpu = NaN;
    for (const target of targets) {
      const { name, table } = target;
      const of = table ? `, ${table.rows.toLocaleString('en')} rows` : '';
      progress(`${engine.name}: round ${i} of ${rounds}: ${name}${of}, ${target.connections} clients`);
      // Before each operation: on a machine that others use, the floor too changes from minute to minute.
      if ((table?.rows ?? options.rows[0]) === options.rows[0]) {
        floorCpu = (await measure(floor, { seconds, warmUp })).cpu;
      }
      round.push({ ...(await measure(target, { seconds, warmUp })), floorCpu });
    }
    results.push(round);
    if (only.has('deep')) {
      progress(`${engine.name}: round ${i} of ${rounds}: deep offset, ${largest.rows.toLocaleString('en')} rows`);
      deepOffsets.push(await measureDeepOffset(largest.server, largest.rows, seconds, random));
    }
    if (only.has('connect')) {
      progress(`${engine.name}: round ${i} of ${rounds}: new connections, ${largest.rows.toLocaleString('en')} rows`);
      firstAnswers.push(await measureFirstAnswers(largest.server, largest.rows, random));
    }
    if (i === 1) memoryAfterFirst = await usagesOf(servers);
  }
  const othersShare = await otherPrograms();
  const memoryAtEnd = await usagesOf(servers);
  const totals = await Promise.all(servers.map((server) => ask<{ total: number }>(server, `${leadPath}?limit=1`)));
  await Promise.all([...others, ...servers].map((child) => child.stop()));

  return {
    targets,
    rounds: results,
    sizes: sizes.map(({ rows, start }, i) => ({
      rows,
      start,
      memory: {
        begin: memoryAtBegin[i] as Usage,
        firstRound: memoryAfterFirst[i] as Usage,
        end: memoryAtEnd[i] as Usage,
      },
      rowsAtEnd: totals[i]?.total ?? NaN,
    })),
    deepOffsets,
    firstAnswers,
    answers,
    others: othersShare,
  };
}

const usagesOf = (servers: readonly Child[]): Promise<Usage[]> => Promise.all(servers.map((server) => server.usage()));
