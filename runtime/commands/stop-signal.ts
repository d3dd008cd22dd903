/** Signals that arrive within this many milliseconds are one request to stop: npm repeats what its group has got. */
const sameMoment = 1_000;

/**
 * Stops the process when it is told to, with SIGTERM or SIGINT.
 *
 * @param stop finishes what is under way and gives the exit code
 * @param abandon is called when it is told a second time, by someone who does not want to wait
 */
export function onStopSignal(stop: () => Promise<number>, abandon: () => void): void {
  let stoppingSince: number | undefined;
  const signalled = async (): Promise<void> => {
    if (stoppingSince !== undefined) {
      if (Date.now() - stoppingSince > sameMoment) abandon();
      return;
    }
    stoppingSince = Date.now();
    process.exit(await stop());
  };
  process.on('SIGTERM', () => void signalled());
  process.on('SIGINT', () => void signalled());
}
