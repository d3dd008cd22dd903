import type { Child } from './child.ts';
import type { Engine } from './databases/database.ts';
import { type Finding, findingsOf, orderPath } from './findable.ts';
import { leadPath } from './leads.ts';
import { measure, medianOf, type Measurement } from './measure.ts';
import type { Options } from './options.ts';
import { checkFindingPeer } from './peer/check-peer.ts';
import { startFindingPeer } from './peer/start-peer.ts';
import { prepareFindable } from './prepare.ts';
import { ask, startServer } from './server.ts';
import { grouped, tableOf } from './table.ts';

const orders = 200;
const linesOfEach = 10;

/** Orders with their lines, each order in a batch. */
async function makeOrders(server: Child): Promise<void> {
  const order = { ordered_on: '2026-01-01', company: 'Acme', currency: 'EUR', notes: 'Deliver to the back door.' };
  const lines = Array.from({ length: linesOfEach }, (_, n) => ({
    method: 'POST',
    path: '/api/sales/order-line',
    body: { order_id: { result: 0 }, article: `Article ${n}`, quantity: n },
  }));
  for (let n = 0; n < orders; n++) {
    await ask(server, '/api/batch', 'POST', {
      operations: [{ method: 'POST', path: orderPath, body: order }, ...lines],
    });
  }
}

/** CPU time of an answer, of the server and of the database where it has processes of its own. */
const cpuOf = ({ cpu, databaseCpu }: Measurement): number => cpu + (Number.isNaN(databaseCpu) ? 0 : databaseCpu);

/** Measures how records are found, beside a page that no request has read and, on SQLite, the hand-written peer. @returns the report */
export async function measureFinding(
  engine: Engine,
  options: Options,
  progress: (text: string) => void,
): Promise<string> {
  const { rows: sizes, connections, seconds, rounds, seed, keep } = options;
  const rows = sizes.at(-1) as number;
  progress(`${engine.name}: filling`);
  const database = await prepareFindable(engine, rows, keep !== undefined);
  const peer = engine.name === 'SQLite' ? await startFindingPeer(engine, database, options) : undefined;
  const server = await startServer(database.url, { observed: true });
  await makeOrders(server);
  const findings = findingsOf(rows, seed);
  if (peer) await checkFindingPeer(peer, server, findings.filter(isOfLeads).map(pathOf));
  const measured = findings.map((): { ours: Measurement[]; peers: Measurement[] } => ({ ours: [], peers: [] }));
  for (let round = 1; round <= rounds; round++) {
    for (const [n, { name, traffic }] of findings.entries()) {
      progress(`${engine.name}: round ${round} of ${rounds}: ${name}`);
      const window = { seconds, warmUp: 0.5 };
      measured[n]?.ours.push(await measure({ name, server, database, traffic, connections }, window));
      if (peer && isOfLeads(findings[n] as Finding)) {
        measured[n]?.peers.push(await measure({ name, server: peer, traffic, connections }, window));
      }
    }
  }
  await Promise.all([server, ...(peer ? [peer] : [])].map((child) => child.stop()));
  const medians = measured.map(({ ours, peers }) => ({ ours: medianOf(ours), peer: medianOf(peers) }));
  const base = cpuOf(medians[0]?.ours as Measurement);
  const lines = findings.map(({ name, aim }, n) => {
    const { ours, peer: others } = medians[n] as (typeof medians)[number];
    const cell = (value: number, digits: number): string => (Number.isNaN(value) ? '' : grouped(value, digits));
    return [
      name,
      grouped(ours.rate),
      grouped(ours.p50, 2),
      grouped(cpuOf(ours)),
      grouped(cpuOf(ours) / base, 2),
      aim === undefined ? '' : `${aim} ${cpuOf(ours) / base <= aim ? 'met' : 'missed'}`,
      cell(cpuOf(others) / base, 2),
    ];
  });
  const titles = ['', '/s', 'ms p50', 'CPU µs', 'multiple', 'aim', ...(peer ? ['hand-written'] : [])];
  return `${grouped(rows)} leads, 20 values of status, 50,000 of lead_owner\n${tableOf([titles, ...lines.map((line) => line.slice(0, titles.length))])}`;
}

/** The peer has leads alone, and no batches. */
const isOfLeads = (finding: Finding): boolean =>
  pathOf(finding).startsWith(`${leadPath}?`) || pathOf(finding) === leadPath;

/** The path of the first request. */
const pathOf = ({ traffic }: Finding): string => String(traffic.next()?.bytes).split(' ')[1] as string;
