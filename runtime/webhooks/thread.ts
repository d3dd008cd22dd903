// The thread that sends: it answers each message with a report, and ends at null.
import { parentPort, workerData } from 'node:worker_threads';
import { withEngine } from '../migrations/engine.ts';
import { pause } from '../model/wait.ts';
import { checkInterval } from '../model/limits.ts';
import { HookCalls } from './hook-calls.ts';
import { Sender } from './sender.ts';
import type { ThreadData } from './webhooks.ts';

const { database: address, service, allowsPrivate, hooks } = workerData as ThreadData;
const sender = new Sender(allowsPrivate, hooks === undefined ? undefined : new HookCalls(hooks));

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
