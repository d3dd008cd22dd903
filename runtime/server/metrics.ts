import type { Store } from '../kernel/records/store.ts';
import { inTime } from '../kernel/model/wait.ts';
import { counter, gauge, histogram, type Metric } from '../observability/metric.ts';
import type { Route } from '../observability/route.ts';

/** The sources of the metrics of a process. */
interface Sources {
  readonly routes: ReadonlyMap<string, Route>;
  readonly store: Store;
  /** Bytes of bodies and responses in memory. */
  heldBytes(): number;
  /** Open connections of clients. */
  connectionCount(): number;
}

/** Reads the metrics of a process that serves. */
export async function metricsOfService({ routes, store, heldBytes, connectionCount }: Sources): Promise<Metric[]> {
  const contents = await inTime(store.contents()).catch(() => undefined);
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
    gauge('http_connections', 'Open connections of clients.', connectionCount()),
    gauge('http_held_bytes', 'Memory that large requests count for, in bytes.', heldBytes()),
    gauge('store_up', '1 if the database answers.', contents ? 1 : 0),
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
    gauge('store_database_bytes', 'Size of the database.', contents?.bytes ?? []),
    gauge('store_rows', 'Rows of each type of records.', rows),
  ];
}
