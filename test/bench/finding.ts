import type { Child } from './child.ts';
import type { Engine } from './databases/database.ts';
import { findingsOf, orderPath } from './findable.ts';
import { measure, medianOf, type Measurement } from './measure.ts';
import type { Options } from './options.ts';
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

/** Measures how records are found, beside a page that no request has read. @returns the report */
export async function measureFinding(
  engine: Engine,
  options: Options,
  progress: (text: string) => void,
): Promise<string> {
  const { rows: sizes, connections, seconds, rounds, seed, keep } = options;
  const rows = sizes.at(-1) as number;
  progress(`${engine.name}: filling`);
  const database = await prepareFindable(engine, rows, keep !== undefined);
  const server = await startServer(database.url, { observed: true });
  await makeOrders(server);
  const findings = findingsOf(rows, seed);
  const measured = findings.map((): Measurement[] => []);
  for (let round = 1; round <= rounds; round++) {
    for (const [n, { name, traffic }] of findings.entries()) {
      progress(`${engine.name}: round ${round} of ${rounds}: ${name}`);
      const target = { name, server, database, traffic, connections };
      measured[n]?.push(await measure(target, { seconds, warmUp: 0.5 }));
    }
  }
  await server.stop();
  const medians = measured.map(medianOf);
  const base = cpuOf(medians[0] as Measurement);
  const lines = findings.map(({ name, aim }, n) => {
    const median = medians[n] as Measurement;
    return [
      name,
      grouped(median.rate),
      grouped(median.p50, 2),
      grouped(cpuOf(median)),
      grouped(cpuOf(median) / base, 2),
      aim === undefined ? '' : `${aim} ${cpuOf(median) / base <= aim ? 'met' : 'missed'}`,
    ];
  });
  const titles = ['', '/s', 'ms p50', 'CPU µs', 'multiple', 'aim'];
  return `${grouped(rows)} leads, 20 values of status, 50,000 of lead_owner\n${tableOf([titles, ...lines])}`;
}
