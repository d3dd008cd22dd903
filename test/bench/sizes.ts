import { checkAnswers } from './answers.ts';
import { Child } from './child.ts';
import type { Database, Engine } from './databases/database.ts';
import { type DeepOffset, measureDeepOffset } from './deep-offset.ts';
import { leadPath } from './leads.ts';
import { measure, type Measurement, type Target } from './measure.ts';
import { operationsOn } from './operations.ts';
import type { Options } from './options.ts';
import { watchOthers } from './others.ts';
import { checkPeer } from './peer/check-peer.ts';
import { preparePeer } from './peer/prepare-peer.ts';
import { prepare } from './prepare.ts';
import type { Usage } from './processes.ts';
import { randomFrom } from './random.ts';
import { ask, startServer, timeStarts } from './server.ts';
import { apiKey, getAlways } from './traffic.ts';

const starts = 5;
const warmUp = 0.5; // seconds

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
  /** On the largest table, one for each round; none where they are not asked for. */
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
  const peer = engine.name === 'SQLite' ? await startPeer(engine, largest, options) : undefined;
  const node = await Child.start('test/bench/floor-node.ts', { observed: true });
  const hono = await Child.start('test/bench/floor-hono.ts', { observed: true });
  const servers = sizes.map(({ server }) => server);
  const others = [node, hono, ...(peer ? [peer] : [])];
  const memoryAtBegin = await usagesOf(servers);
  let answers = '';
  for (const { server, rows } of sizes) answers = await checkAnswers(server, rows);
  if (peer) await checkPeer(peer, largest.server, largest.rows);

  const floors: Target[] = [
    { name: 'floor: node:http', server: node, traffic: getAlways('/'), connections },
    { name: 'floor: Hono', server: hono, traffic: getAlways('/'), connections },
  ];
  const targets = [...floors, ...targetsOf(sizes, peer, options)];
  const results: Measurement[][] = [];
  const deepOffsets: DeepOffset[] = [];
  const random = randomFrom(seed);
  let memoryAfterFirst: Usage[] = [];
  const otherPrograms = await watchOthers(
    [...others, ...servers],
    sizes.map(({ database }) => database),
  );
  for (let i = 1; i <= rounds; i++) {
    const round: Measurement[] = [];
    for (const target of targets) {
      const { name, table } = target;
      const of = table ? `, ${table.rows.toLocaleString('en')} rows${table.isPeer ? ', by the peer' : ''}` : '';
      progress(`${engine.name}: round ${i} of ${rounds}: ${name}${of}, ${target.connections} clients`);
      round.push(await measure(target, { seconds, warmUp }));
    }
    results.push(round);
    if (only.has('deep')) {
      progress(`${engine.name}: round ${i} of ${rounds}: deep offset, ${largest.rows.toLocaleString('en')} rows`);
      deepOffsets.push(await measureDeepOffset(largest.server, largest.rows, seconds, random));
    }
    if (i === 1) memoryAfterFirst = await usagesOf(servers);
  }
  const othersShare = await otherPrograms();
  const memoryAtEnd = await usagesOf(servers);
  const totals = await Promise.all(servers.map((server) => ask<{ total: number }>(server, `${leadPath}?limit=1`)));
  await Promise.all([...others, ...servers].map((child) => child.stop()));

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

/** Starts the hand-written peer over the leads of this size. */
async function startPeer(engine: Engine, { rows, database }: Size, { keep, peerJson }: Options): Promise<Child> {
  const { url } = await preparePeer(engine, rows, keep !== undefined, database);
  const env = { NODE_ENV: 'production', DATABASE_URL: url, API_KEYS: apiKey, ...(peerJson ? { PEER_JSON: '1' } : {}) };
  return Child.start('test/bench/peer/server.ts', { env, observed: true });
}

/**
 * Each operation on all sizes in turn, and on the peer after the largest, so that what is compared is measured at nearly
 * the same time.
 */
function targetsOf(sizes: readonly Size[], peer: Child | undefined, options: Options): Target[] {
  const targetsFor = ({ rows, server, database }: Omit<Size, 'start'>, isPeer: boolean): Target[] =>
    operationsOn(rows, options.seed)
      .filter(({ key }) => options.only.has(key))
      .map((operation) => ({
        connections: options.connections,
        ...operation,
        server,
        database,
        table: { rows, operation, isPeer },
      }));
  const ofServers = sizes.map((size) => targetsFor(size, false));
  const largest = sizes.at(-1) as Size;
  if (peer) ofServers.push(targetsFor({ ...largest, server: peer }, true));
  return (ofServers[0] ?? []).flatMap((_, operation) =>
    ofServers
      .map((targets) => targets[operation] as Target)
      // The peer has no line items.
      .filter(({ table }) => !table?.isPeer || table.operation.key !== 'items'),
  );
}

const usagesOf = (servers: readonly Child[]): Promise<Usage[]> => Promise.all(servers.map((server) => server.usage()));
