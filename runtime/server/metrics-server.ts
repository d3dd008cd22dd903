import { createServer, type Server } from 'node:http';
import { log } from '../observability/log.ts';
import { aggregated, type Metric } from './metrics.ts';

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
    const answer = (status: number, body: string): void => {
      outgoing.writeHead(status, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body);
    };
    if (url !== '/metrics' || (method !== 'GET' && method !== 'HEAD'))
      return answer(404, 'Only GET /metrics is here.\n');
    try {
      answer(200, await read());
    } catch (error) {
      log.repeated('error', 'The metrics could not be read.', { err: error });
      answer(500, 'The metrics could not be read.\n');
    }
  });
  server.maxConnections = 100;
  return server.unref();
}
