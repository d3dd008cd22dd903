// The thread that sends: it answers each message with a report, and ends at null.
import { parentPort, workerData } from 'node:worker_threads';
import { withEngine } from '../../migrations/engine.ts';
import { pause } from '../../kernel/model/wait.ts';
import { checkInterval } from '../../kernel/model/limits.ts';
import type { Courier } from './courier.ts';
import { Sender } from './sender.ts';
import type { ThreadData } from './delivery.ts';

const { database: address, service, couriers } = workerData as ThreadData;
const courierOf = async ({ module, data }: ThreadData['couriers'][number]): Promise<Courier> =>
  ((await import(module)) as { courierOf(data: unknown): Courier }).courierOf(data);
const sender = new Sender(await Promise.all(couriers.map(courierOf)));

parentPort?.on('message', (message: 'report' | null) => {
  if (message === null) sender.isStopping = true;
  else parentPort?.postMessage(sender.report(), []);
});

while (!sender.isStopping) {
  try {
    await withEngine(address, service, 'write', (database) => sender.run(database));
  } catch (error) {
    sender.fail(error);
    await pause(checkInterval);
  }
}
process.exit();
