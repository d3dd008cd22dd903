import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { maxEventStreams } from '../../runtime/features/streams/limits.ts';
import type { Engine } from './databases/database.ts';
import { leadOf, leadPath } from './leads.ts';
import { percentile } from './measure.ts';
import type { Options } from './options.ts';
import { prepare } from './prepare.ts';
import { ask, startServer } from './server.ts';
import { grouped, tableOf } from './table.ts';
import { apiKey } from './traffic.ts';

/** Keys of one organization, which together may have half of all streams open. */
const keys = [apiKey, `${apiKey}-2`];
const streamsOfKey = maxEventStreams / 4;

/** Milliseconds between two writes. */
const writeInterval = 20;

/** Milliseconds that the last events have to arrive. */
const lastWait = 5_000;

/** When each stream saw the creation of each record, by its id. */
type Arrivals = Map<string, number>[];

/** Opens a stream of the events behind a number. */
async function openStream(
  port: number,
  key: string,
  after: number,
  seen: Map<string, number>,
): Promise<IncomingMessage> {
  const headers = { Authorization: `Bearer ${key}`, Accept: 'text/event-stream', 'Last-Event-ID': after };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, path: '/api/events', headers, agent: false }, resolve).on('error', reject);
  });
  if (response.statusCode !== 200) throw new Error(`A stream of events was answered ${response.statusCode}`);
  let rest = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    const events = (rest + text).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const record = /"record":"([^"]+)"/.exec(event)?.[1];
      if (record !== undefined) seen.set(record, performance.now());
    }
  });
  return response;
}

/** Writes at a steady rate for so long. @returns when each record's response was there, by its id */
async function write(port: number, milliseconds: number): Promise<Map<string, number>> {
  const written = new Map<string, number>();
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  const writes: Promise<void>[] = [];
  const begin = performance.now();
  for (let n = 0; performance.now() < begin + milliseconds; n++) {
    const body = JSON.stringify(leadOf(n));
    const created = fetch(`http://127.0.0.1:${port}${leadPath}`, { method: 'POST', headers, body });
    const noted = created.then(async (response) => {
      const { id } = (await response.json()) as { id: string };
      written.set(id, performance.now());
    });
    writes.push(noted);
    await pause(Math.max(0, begin + (n + 1) * writeInterval - performance.now()));
  }
  await Promise.all(writes);
  return written;
}

/** Measures how long after its response a write is seen by every stream of an organization. @returns the report */
export async function measureStreams(
  engine: Engine,
  { rows: [rows = 0], seconds, rounds }: Options,
  progress: (text: string) => void,
): Promise<string> {
  progress(`${engine.name}: filling`);
  const database = await prepare(engine, rows, false);
  const lines = [['streams', 'events', 'delivered', 'ms p50', 'p99', 'max', 'CPU of the server']];
  for (const count of [1, streamsOfKey, keys.length * streamsOfKey]) {
    progress(`${engine.name}: ${count} streams`);
    const server = await startServer(database.url, { observed: true, env: { API_KEYS: keys.join(',') } });
    const arrivals: Arrivals = Array.from({ length: count }, () => new Map<string, number>());
    const { data: newest } = await ask<{ data: { number: number }[] }>(server, '/api/events?sort=-number&limit=1');
    const keyOf = (n: number): string => keys[Math.floor(n / streamsOfKey)] as string;
    const streams = await Promise.all(
      arrivals.map((seen, n) => openStream(server.port, keyOf(n), newest[0]?.number ?? 0, seen)),
    );
    const before = (await server.usage()).cpu;
    const milliseconds = seconds * rounds * 1000;
    const written = await write(server.port, milliseconds);
    const used = ((await server.usage()).cpu - before) / 1000 / milliseconds;
    const end = performance.now() + lastWait;
    while (performance.now() < end && arrivals.some(({ size }) => size < written.size)) await pause(50);
    const delays = arrivals.flatMap((seen) =>
      [...written].flatMap(([id, at]) => (seen.has(id) ? [Math.max(0, (seen.get(id) as number) - at)] : [])),
    );
    const sorted = Float64Array.from(delays).toSorted();
    const delivered = (delays.length / written.size / count) * 100;
    const shares = [0.5, 0.99, 1].map((share) => grouped(percentile(sorted, share)));
    lines.push([
      `${count}`,
      grouped(written.size),
      `${delivered.toFixed(1)}%`,
      ...shares,
      `${(used * 100).toFixed(0)}%`,
    ]);
    for (const stream of streams) stream.destroy();
    await server.stop();
  }
  return `Streams of one organization, while ${1000 / writeInterval} leads a second are created\n${tableOf(lines)}`;
}
