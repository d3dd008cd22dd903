import { checkInterval } from '../kernel/model/limits.ts';
import type { Server as Listener } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { pause } from '../kernel/model/wait.ts';

export const stopSignals = ['SIGTERM', 'SIGINT'] as const;

/**
 * Stops the process on SIGTERM or SIGINT.
 *
 * @param stop finishes what is in flight and returns the exit code
 * @param abort is called on a second signal, from someone who does not want to wait
 */
export function onStopSignal(stop: () => Promise<number>, abort: () => void): void {
  let stoppingSince: number | undefined;
  const onSignal = async (): Promise<void> => {
    if (stoppingSince === undefined) {
      stoppingSince = Date.now();
      process.exit(await stop());
    }
    // npm repeats the signal that its process group has received.
    if (Date.now() - stoppingSince > checkInterval) abort();
  };
  for (const signal of stopSignals) process.on(signal, () => void onSignal());
}

/**
 * Goes on accepting connections for `drain` milliseconds, and stops listening at a moment without a new one: the system resets
 * connections that it has accepted and the server has not. Each turn of the event loop accepts one.
 */
export async function stopListening(server: Listener, drain: number): Promise<void> {
  await pause(drain);
  let accepted = 0;
  server.on('connection', () => accepted++);
  const deadline = performance.now() + 2 * checkInterval;
  await turn();
  for (let before = -1; before !== accepted && performance.now() < deadline; await turn()) before = accepted;
  server.close();
}
