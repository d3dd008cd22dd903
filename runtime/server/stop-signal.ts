import { checkInterval } from '../model/limits.ts';

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
