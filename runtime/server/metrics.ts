import { maxEntries } from '../model/limits.ts';
import cluster, { type Worker } from 'node:cluster';
import { createServer, type Server } from 'node:http';
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { KeyCheck } from '../auth/keys.ts';
import type { Store, StoreContents } from '../records/store.ts';
import type { Histogram } from '../observability/histogram.ts';
import { inTime } from '../model/wait.ts';
import { log } from '../observability/log.ts';
import { briefWait } from './limits.ts';
import type { Counts } from '../webhooks/sender.ts';
import { tellMain } from './workers.ts';
import type { Route } from '../observability/route.ts';

type Aggregator = 'sum' | 'max' | 'min' | 'average' | 'first' | 'omit';

/** A metric with its values, as prom-client has it. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How the values of several processes become one. */
  readonly aggregator: Aggregator;
  readonly values: readonly Value[];
}

interface Value {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
}

/** The sources of the metrics of a process. */
interface Sources {
  readonly routes: ReadonlyMap<string, Route>;
  readonly store: Store;
  readonly keys: KeyCheck;
  /** Bytes of bodies and responses in memory. */
  heldBytes(): number;
  /** Open connections of clients. */
  connectionCount(): number;
}

/** Returns a function that reads the metrics of this process. */
export function metricsOf(sources: Sources): () => Promise<Metric[]> {
  const node = new Registry();
  collectDefaultMetrics({ register: node });
  return async () => {
    const [ofNode, contents] = await Promise.all([
      node.getMetricsAsJSON() as unknown as Promise<Metric[]>,
      inTime(sources.store.contents()).catch(() => undefined),
    ]);
    return [...ofNode, ...ofService(sources, contents)];
  };
}

function ofService(
  { routes, store, keys, heldBytes, connectionCount }: Sources,
  contents: StoreContents | undefined,
): Metric[] {
  const used = [...routes.values()];
  const { queuedWrites, commits, groups, ...others } = store.metrics();
  const { connections = 0, cacheHits = 0, cacheMisses = 0, replicaReads = 0, replicaFailures = 0 } = others;
  const requests = used.flatMap(({ method, pattern: route, statuses }) =>
    [...statuses].map(([status, value]) => ({ value, labels: { method, route, status } })),
  );
  const durations = used.map(({ method, pattern: route, durations: all }) => [all, { method, route }] as const);
  const rows = [...(contents?.rows ?? [])].map(([resource, value]) => ({ value, labels: { resource } }));
  const duration = 'From the headers of a request to the end of its response.';
  const commit = 'Of a commit: on SQLite mostly its fsync, on PostgreSQL the whole write.';
  return [
    counter('http_requests_total', 'Requests that are over.', requests),
    histogram('http_request_duration_seconds', duration, durations),
    counter('http_wrong_keys_total', 'Requests with a wrong API key.', keys.wrong),
    gauge('http_connections', 'Open connections of clients.', connectionCount()),
    gauge('http_held_bytes', 'Bytes of bodies and responses in memory.', heldBytes()),
    least('store_up', '1 if the database answers.', contents ? 1 : 0),
    gauge('store_queued_writes', 'Writes that wait to be executed.', queuedWrites),
    histogram('store_group_writes', 'Writes in a group, which share a commit. SQLite only.', [[groups, {}]]),
    histogram('store_commit_duration_seconds', commit, [[commits, {}]]),
    counter('store_cache_hits_total', 'Records that were read from the record cache. SQLite only.', cacheHits),
    counter('store_cache_misses_total', 'Records that were not in the record cache. SQLite only.', cacheMisses),
    counter('store_replica_reads_total', 'Queries that a replica has answered. PostgreSQL only.', replicaReads),
    counter(
      'store_replica_failures_total',
      'Queries that failed on a replica and went to the primary. PostgreSQL only.',
      replicaFailures,
    ),
    gauge('store_connections', 'Open connections to PostgreSQL.', connections),
    largest('store_database_bytes', 'Size of the database.', contents?.bytes ?? []),
    largest('store_rows', 'Rows of each type of records.', rows),
  ];
}

/** The metrics of the webhooks that this process sends. */
export const metricsOfWebhooks = ({ delivered, failed, waiting, lag }: Counts): Metric[] => [
  counter('webhook_deliveries_total', 'Events that webhooks and hooks have taken.', delivered),
  counter('webhook_failures_total', 'Attempts to send an event that have failed.', failed),
  gauge('webhook_waiting', 'Events that wait to be sent, 10,000 at most.', waiting),
  gauge('webhook_lag_seconds', 'How long the oldest of them has waited.', lag),
];

const metric =
  (type: Metric['type'], aggregator: Aggregator = 'sum') =>
  (name: string, help: string, values: number | Value[]): Metric => ({
    name,
    help,
    type,
    aggregator,
    values: typeof values === 'number' ? [{ value: values, labels: {} }] : values,
  });

const counter = metric('counter');
const gauge = metric('gauge');
const largest = metric('gauge', 'max');
const least = metric('gauge', 'min');

const histogram = (name: string, help: string, all: readonly (readonly [Histogram, Value['labels']])[]): Metric =>
  metric('histogram')(
    name,
    help,
    all.flatMap(([one, labels]) => bucketsOf(name, one, labels)),
  );

/** The cumulative buckets of a histogram, its sum and its count. */
function bucketsOf(name: string, { limits, counts, sum }: Histogram, labels: Value['labels']): Value[] {
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

/** The metrics of several processes as those of one. */
const aggregated = (all: readonly (readonly Metric[])[]): Registry =>
  // A metric that has no sum, like the start time of a process, is that of the first process.
  AggregatorRegistry.aggregate(
    all.map((metrics) => metrics.map((one) => (one.aggregator === 'omit' ? { ...one, aggregator: 'first' } : one))),
  );

/** The message by which the main process asks a worker for its metrics. */
const question = 'metrics';

/** Responds to the main process. */
export function offerMetrics(read: () => Promise<Metric[]>): void {
  process.on('message', (message) => {
    if (message === question) void read().then((metrics) => tellMain({ metrics }));
  });
}

/** Returns a function that reads the metrics of all workers. Counters of those that have exited are kept, so that none goes back. */
export function metricsOfWorkers(): () => Promise<readonly (readonly Metric[])[]> {
  const last = new Map<number, readonly Metric[]>();
  /** Ends the wait for a worker, by its id. */
  const pending = new Map<number, () => void>();
  let exited: Promise<readonly Metric[]> = Promise.resolve([]);

  cluster.on('message', ({ id }, message: { metrics?: readonly Metric[] }) => {
    if (message.metrics === undefined) return;
    last.set(id, message.metrics);
    pending.get(id)?.();
  });
  cluster.on('exit', ({ id }) => {
    const counters = (last.get(id) ?? []).filter(({ type }) => type !== 'gauge');
    last.delete(id);
    pending.get(id)?.();
    pending.delete(id);
    // One after the other: several may exit at once.
    exited = exited.then(
      async (before) => (await aggregated([before, counters]).getMetricsAsJSON()) as unknown as Metric[],
    );
  });

  const ask = (worker: Worker): Promise<void> =>
    new Promise((resolve) => {
      pending.set(worker.id, resolve);
      worker.send(question, () => undefined);
    });
  return async () => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true) as Worker[];
    // A busy worker counts with its last metrics.
    await inTime(Promise.all(workers.map(ask)), briefWait);
    return [...last.values(), await exited];
  };
}

/**
 * Serves metrics at `/metrics`, in the text format of Prometheus. Not yet listening. It keeps no process alive, and needs no key.
 *
 * @param collect reads the metrics of each process
 */
export function createMetricsServer(collect: () => Promise<readonly (readonly Metric[])[]>): Server {
  // Scrapes at the same time share one reading.
  let reading: Promise<string> | undefined;
  const read = (): Promise<string> =>
    (reading ??= collect()
      .then((all) => aggregated(all).metrics())
      .finally(() => (reading = undefined)));

  const server = createServer(async ({ method, url }, outgoing) => {
    const respond = (status: number, body: string): void => {
      outgoing.writeHead(status, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body);
    };
    if (url !== '/metrics' || (method !== 'GET' && method !== 'HEAD'))
      return respond(404, 'Only GET /metrics is here.\n');
    try {
      respond(200, await read());
    } catch (error) {
      log.repeated('error', 'The metrics could not be read.', { err: error });
      respond(500, 'The metrics could not be read.\n');
    }
  });
  server.maxConnections = maxEntries;
  return server.unref();
}
