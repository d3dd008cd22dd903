import type { Server } from 'node:net';
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { KeyCheck } from '../auth/keys.ts';
import type { Store, StoreContents } from '../records/store.ts';
import type { Histogram } from '../observability/histogram.ts';
import type { Routes } from '../observability/route.ts';

/** A metric with its values, as prom-client has it. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How the values of several processes become one. */
  readonly aggregator: 'sum' | 'max' | 'min' | 'average' | 'first' | 'omit';
  readonly values: readonly Value[];
}

interface Value {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
}

/** The sources of the metrics of a process. */
interface Sources {
  readonly routes: Routes;
  readonly store: Store;
  readonly keys: KeyCheck;
  readonly server: Server;
  /** Bytes of bodies and responses in memory. */
  heldBytes(): number;
}

/** Milliseconds that a scrape waits for the database. */
const contentsTimeout = 2_000;

/** Returns a function that reads the metrics of this process. */
export function metricsOf(sources: Sources): () => Promise<Metric[]> {
  const node = new Registry();
  collectDefaultMetrics({ register: node });
  return async () => {
    const [ofNode, connections, contents] = await Promise.all([
      node.getMetricsAsJSON() as unknown as Promise<Metric[]>,
      connectionsOf(sources.server),
      contentsOf(sources.store),
    ]);
    return [...ofNode, ...ofService(sources, connections, contents)];
  };
}

function ofService(
  { routes, store, keys, heldBytes }: Sources,
  connections: number,
  contents: StoreContents | undefined,
): Metric[] {
  const used = routes.all;
  const { queuedWrites, commits, groups, connections: storeConnections, ...reads } = store.metrics();
  const one = (value: number): Value[] => [{ value, labels: {} }];
  const counter = (name: string, help: string, values: Value[]): Metric => ({
    name,
    help,
    type: 'counter',
    aggregator: 'sum',
    values,
  });
  const gauge = (name: string, help: string, values: Value[], aggregator: 'sum' | 'max' | 'min' = 'sum'): Metric => ({
    name,
    help,
    type: 'gauge',
    aggregator,
    values,
  });
  const histogram = (name: string, help: string, values: Value[]): Metric => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values,
  });
  return [
    counter(
      'http_requests_total',
      'Requests that are over.',
      used.flatMap(({ method, pattern: route, statuses }) =>
        [...statuses].map(([status, value]) => ({ value, labels: { method, route, status } })),
      ),
    ),
    histogram(
      'http_request_duration_seconds',
      'From the headers of a request to the end of its response.',
      used.flatMap(({ method, pattern: route, durations }) =>
        bucketsOf('http_request_duration_seconds', durations, { method, route }),
      ),
    ),
    counter('http_wrong_keys_total', 'Requests with a wrong API key.', one(keys.wrong)),
    gauge('http_connections', 'Open connections of clients.', one(connections)),
    gauge('http_held_bytes', 'Bytes of bodies and responses in memory.', one(heldBytes())),
    gauge('store_up', '1 if the database answers.', one(contents ? 1 : 0), 'min'),
    gauge('store_queued_writes', 'Writes that wait to be executed.', one(queuedWrites)),
    histogram(
      'store_group_writes',
      'Writes in a group, which share a commit. SQLite only.',
      bucketsOf('store_group_writes', groups),
    ),
    histogram(
      'store_commit_duration_seconds',
      'Of a commit: on SQLite mostly its fsync, on PostgreSQL the whole write.',
      bucketsOf('store_commit_duration_seconds', commits),
    ),
    counter(
      'store_cache_hits_total',
      'Records that were read from the record cache. SQLite only.',
      one(reads.cacheHits),
    ),
    counter(
      'store_cache_misses_total',
      'Records that were not in the record cache. SQLite only.',
      one(reads.cacheMisses),
    ),
    counter(
      'store_replica_reads_total',
      'Queries that a replica has answered. PostgreSQL only.',
      one(reads.replicaReads),
    ),
    counter(
      'store_replica_failures_total',
      'Queries that failed on a replica and went to the primary. PostgreSQL only.',
      one(reads.replicaFailures),
    ),
    gauge('store_connections', 'Open connections to PostgreSQL.', one(storeConnections)),
    gauge('store_database_bytes', 'Size of the database.', contents ? one(contents.bytes) : [], 'max'),
    gauge(
      'store_rows',
      'Rows of each type of records.',
      [...(contents?.rows ?? [])].map(([resource, value]) => ({ value, labels: { resource } })),
      'max',
    ),
  ];
}

/** The cumulative buckets of a histogram, its sum and its count. */
function bucketsOf(name: string, { limits, counts, sum }: Histogram, labels: Value['labels'] = {}): Value[] {
  let count = 0;
  const buckets = counts.map((inBucket, i) => {
    count += inBucket;
    return { value: count, labels: { ...labels, le: limits[i] ?? '+Inf' }, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { value: sum, labels, metricName: `${name}_sum` },
    { value: count, labels, metricName: `${name}_count` },
  ];
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

/** Undefined if the database does not answer in time. */
function contentsOf(store: Store): Promise<StoreContents | undefined> {
  return new Promise((resolve) => {
    const end = (contents?: StoreContents): void => {
      clearTimeout(timer);
      resolve(contents);
    };
    const timer = setTimeout(end, contentsTimeout);
    store.contents().then(end, () => end());
  });
}

/** The metrics of several processes as those of one. */
export const aggregated = (all: readonly (readonly Metric[])[]): Registry =>
  // A metric that has no sum, like the start time of a process, is that of the first process.
  AggregatorRegistry.aggregate(
    all.map((metrics) =>
      metrics.map((metric) => (metric.aggregator === 'omit' ? { ...metric, aggregator: 'first' } : metric)),
    ),
  );
