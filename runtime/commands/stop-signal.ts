/** Signals that arrive within this many milliseconds are one request to stop: npm repeats what its group has got. */
const sameMoment = 1_000;

/**
 * Stops the process when it is told to, with SIGTERM or SIGINT.
 *
 * @param stop finishes what is under way and gives the exit code
 * @param abandon is called before the process ends at once, for it was told a second time
 */
export function onStopSignal(stop: () => Promise<number>, abandon: () => void = () => undefined): void {
  let stoppingSince: number | undefined;
  const signalled = async (): Promise<void> => {
    if (stoppingSince !== undefined) {
      if (Date.now() - stoppingSince <= sameMoment) return;
      abandon();
      process.exit(1);
    }
    stoppingSince = Date.now();
    process.exit(await stop());
  };
  process.on('SIGTERM', () => void signalled());
  process.on('SIGINT', () => void signalled());
}
