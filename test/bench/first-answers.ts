import type { Child } from './child.ts';
import { leadPath } from './leads.ts';
import { Load, type Request, type Traffic } from './load.ts';
import { percentile } from './measure.ts';
import type { Random } from './random.ts';
import { createLeads, getAlways, patchLeads } from './traffic.ts';

/** Clients that write all the time, and those that come at once and read. */
export const writers = 32;
export const newReaders = 100;

/** Clients that come at once and write. */
export const newWriters = 256;

/** Milliseconds for which first answers are waited for. */
const longest = 3_000;

/** Milliseconds between the first request of a client on a new connection, and its response. */
export interface FirstAnswers {
  /** Gets beside writers. */
  readonly getP50: number;
  readonly getMax: number;
  /** Patches by clients that come all at once and go on writing. */
  readonly patchP50: number;
  readonly patchMax: number;
}

/** Each of some new connections has a load of its own, whose first latency counts. */
async function firsts(port: number, count: number, trafficOf: () => Traffic): Promise<Float64Array> {
  const loads = Array.from({ length: count }, () => new Load(port, trafficOf(), 1));
  await Promise.all(loads.map((load) => load.run(longest)));
  const latencies = loads.map((load) => load.takeLatencies()[0] ?? longest);
  await Promise.all(loads.map((load) => load.stop()));
  return Float64Array.from(latencies).toSorted();
}

/** One request of some traffic. */
function onceOf(traffic: Traffic): Traffic {
  let isSent = false;
  const next = (): Request | undefined => (isSent ? undefined : ((isSent = true), traffic.next()));
  return { next };
}

/** Opens many connections at once: beside writers to read, then to write. */
export async function measureFirstAnswers(server: Child, rows: number, random: Random): Promise<FirstAnswers> {
  const load = new Load(server.port, createLeads(), writers);
  await load.run(500);
  const gets = await firsts(server.port, newReaders, () => onceOf(getAlways(`${leadPath}?limit=1`)));
  await load.stop();
  const traffic = patchLeads(rows, random);
  const patches = await firsts(server.port, newWriters, () => traffic);
  return {
    getP50: percentile(gets, 0.5),
    getMax: percentile(gets, 1),
    patchP50: percentile(patches, 0.5),
    patchMax: percentile(patches, 1),
  };
}
