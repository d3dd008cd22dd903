/** Milliseconds of work between two frames: a page that works longer does not respond. */
const maxWork = 30;

/** Makes a function that lets the browser draw and listen if it has worked for long. It throws the reason of the signal. */
export function pauses(signal: AbortSignal): () => Promise<void> | undefined {
  let started = performance.now();
  return () => {
    signal.throwIfAborted();
    if (performance.now() - started < maxWork) return undefined;
    return new Promise((resolve) =>
      setTimeout(() => {
        started = performance.now();
        resolve();
      }),
    );
  };
}
