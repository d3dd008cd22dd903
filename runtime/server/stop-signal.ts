/** Signals within this many milliseconds are one request to stop: npm repeats what its process group has received. */
const repeatWindow = 1_000;

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
    if (Date.now() - stoppingSince > repeatWindow) abort();
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void onSignal());
}
