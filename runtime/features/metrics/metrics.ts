import { createServer, type Server } from 'node:http';
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import { maxEntries } from '../../kernel/model/limits.ts';
import type { Running } from '../../kernel/running.ts';
import { log } from '../../observability/log.ts';
import type { Metric } from '../../observability/metric.ts';

/**
 * Serves the metrics of a process.
 *
 * @param first the port of the first process; others have those behind it, and serve without metrics if theirs is taken
 * @throws CliError if the first process cannot listen there
 */
export async function serveMetrics(
  { recorder, metrics, number, facts, listen }: Running,
  first: number,
): Promise<void> {
  recorder.counts = true;
  const collect = async (): Promise<Metric[]> => (await Promise.all(metrics.map((read) => read()))).flat();
  try {
    const { url } = await listen(createMetricsServer(collect), first === 0 ? 0 : first + number, 'METRICS_PORT');
    facts.metrics = `${url}/metrics`;
  } catch (error) {
    if (number === 0) throw error;
    log.warn(`Worker ${number} serves no metrics. ${(error as Error).message}`);
  }
}

/**
 * Serves metrics at `/metrics`, in the text format of Prometheus. Not yet listening. It keeps no process alive, and needs no key.
 *
 * @param collect reads the metrics that this process has, beside those of Node
 */
function createMetricsServer(collect: () => Promise<readonly Metric[]>): Server {
  const node = new Registry();
  collectDefaultMetrics({ register: node });
  const print = async (): Promise<string> => {
    const all = [...((await node.getMetricsAsJSON()) as unknown as Metric[]), ...(await collect())];
    // This is how a registry prints values that it has not counted.
    return AggregatorRegistry.aggregate([all.map((one) => ({ ...one, aggregator: 'first' }))]).metrics();
  };
  // Scrapes at the same time share one reading.
  let reading: Promise<string> | undefined;
  const read = (): Promise<string> => (reading ??= print().finally(() => (reading = undefined)));

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
