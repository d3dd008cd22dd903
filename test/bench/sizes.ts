import { checkAnswers } from './answers.ts';
import { Child } from './child.ts';
import type { Database, Engine } from './databases/database.ts';
import { type DeepOffset, measureDeepOffset } from './deep-offset.ts';
import { largeParent, mediumParent } from './items.ts';
import { leadPath } from './leads.ts';
import type { Traffic } from './load.ts';
import { measure, type Measurement, type Target } from './measure.ts';
import type { Options } from './options.ts';
import { watchOthers } from './others.ts';
import { prepare } from './prepare.ts';
import type { Usage } from './processes.ts';
import { ask, startServer, timeStarts } from './server.ts';
import { createLeads, getAlways, getLeads, listItems, nextPages, patchLeads } from './traffic.ts';

const starts = 5;
const warmUp = 0.5; // seconds
/** Clients of the writes that are measured with many. */
const manyConnections = 256;

/** What was seen of one server beside its answers. */
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
  /** Which of the targets the others are compared with. */
  readonly floor: number;
  /** For each round, what was measured of each target. */
  readonly rounds: readonly (readonly Measurement[])[];
  readonly sizes: readonly SizeResult[];
  /** On the largest table, one for each round. */
  readonly deepOffsets: readonly DeepOffset[];
  /** Sizes of the answers, in words. */
  readonly answers: string;
  /** The share of the machine that other programs had. */
  readonly others: number;
}

interface Size {
  readonly rows: number;
  readonly database: Database;
  readonly start: number;
  readonly server: Child;
}

interface Operation {
  readonly name: string;
  readonly traffic: Traffic;
  readonly aim?: number;
  readonly connections?: number;
}

function operationsOn(rows: number): Operation[] {
  const creates = createLeads();
  const patches = patchLeads(rows);
  return [
    { name: 'get by id', traffic: getLeads(rows), aim: 1.6 },
    { name: 'list of 20 with total', traffic: getAlways(leadPath), aim: 4.5 },
    { name: 'next page, by after', traffic: nextPages(rows) },
    { name: 'items of a parent with a tenth', traffic: listItems(largeParent) },
    { name: 'items of a parent with 1,000', traffic: listItems(mediumParent) },
    { name: 'durable create', traffic: creates, aim: 3.5 },
    { name: 'durable create', traffic: creates, aim: 3.5, connections: manyConnections },
    { name: 'durable patch', traffic: patches, aim: 3.5 },
    { name: 'durable patch', traffic: patches, aim: 3.5, connections: manyConnections },
  ];
}

/** Measures the server over tables of every size, and the floors beside it, round by round. */
export async function measureSizes(
  engine: Engine,
  options: Options,
  progress: (text: string) => void,
): Promise<Results> {
  const { workers, connections, seconds, rounds } = options;
  const sizes: Size[] = [];
  for (const rows of options.rows) {
    progress(`${engine.name}: ${rows.toLocaleString('en')} leads and line items`);
    const database = await prepare(engine, rows, options.keep !== undefined);
    const start = await timeStarts(starts, leadPath, database.url, workers);
    sizes.push({ rows, database, start, server: await startServer(database.url, { workers, observed: true }) });
  }
  const node = await Child.start('test/bench/floor-node.ts', { observed: true });
  const hono = await Child.start('test/bench/floor-hono.ts', { observed: true });
  const servers = sizes.map(({ server }) => server);
  const memoryAtBegin = await usagesOf(servers);
  let answers = '';
  for (const { server, rows } of sizes) answers = await checkAnswers(server, rows);

  const floors: Target[] = [
    { name: 'floor: node:http', server: node, traffic: getAlways('/'), connections },
    { name: 'floor: Hono', server: hono, traffic: getAlways('/'), connections },
  ];
  const targets = [...floors, ...targetsOf(sizes, connections, engine.name === 'SQLite')];
  const results: Measurement[][] = [];
  const deepOffsets: DeepOffset[] = [];
  const largest = sizes.at(-1) as Size;
  let memoryAfterFirst: Usage[] = [];
  const others = await watchOthers(
    [node, hono, ...servers],
    sizes.map(({ database }) => database),
  );
  for (let i = 1; i <= rounds; i++) {
    const round: Measurement[] = [];
    for (const target of targets) {
      const rows = target.rows === undefined ? '' : `, ${target.rows.toLocaleString('en')} rows`;
      progress(`${engine.name}: round ${i} of ${rounds}: ${target.name}${rows}, ${target.connections} clients`);
      round.push(await measure(target, { seconds, warmUp }));
    }
    results.push(round);
    progress(`${engine.name}: round ${i} of ${rounds}: deep offset, ${largest.rows.toLocaleString('en')} rows`);
    deepOffsets.push(await measureDeepOffset(largest.server, largest.rows, seconds));
    if (i === 1) memoryAfterFirst = await usagesOf(servers);
  }
  const othersShare = await others();
  const memoryAtEnd = await usagesOf(servers);
  const totals = await Promise.all(servers.map((server) => ask<{ total: number }>(server, `${leadPath}?limit=1`)));
  await Promise.all([node, hono, ...servers].map((child) => child.stop()));

  return {
    targets,
    floor: 1,
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
    answers,
    others: othersShare,
  };
}

/** Each operation on all sizes in turn, so that what is compared is measured at nearly the same time. */
function targetsOf(sizes: readonly Size[], connections: number, aims: boolean): Target[] {
  const ofSizes = sizes.map(({ rows, server, database }) =>
    operationsOn(rows).map(({ aim, ...operation }): Target => ({
      connections,
      ...operation,
      rows,
      server,
      database,
      aim: aims ? aim : undefined,
    })),
  );
  return (ofSizes[0] ?? []).flatMap((_, operation) => ofSizes.map((targets) => targets[operation] as Target));
}

const usagesOf = (servers: readonly Child[]): Promise<Usage[]> => Promise.all(servers.map((server) => server.usage()));
