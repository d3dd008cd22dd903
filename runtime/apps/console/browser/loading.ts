import { useLayoutEffect, useState } from 'preact/hooks';

/** A value that is loaded, and loaded again: the last value that has come stays until the next one has. */
export interface Loading<T> {
  /** Undefined until it is there. */
  readonly value: T | undefined;
  readonly isLoading: boolean;
  /** Why the last attempt has failed; undefined if it has not. */
  readonly error: unknown;
  readonly again: () => void;
}

/**
 * Loads a value, and again if an input changes; what is no longer wanted is aborted, and changes nothing.
 *
 * @param load undefined as long as there is nothing to load
 */
export function useLoading<T>(
  load: ((signal: AbortSignal) => Promise<T>) | undefined,
  inputs: readonly unknown[] = [],
): Loading<T> {
  const [state, setState] = useState<Omit<Loading<T>, 'again'>>({
    value: undefined,
    isLoading: true,
    error: undefined,
  });
  const [attempt, setAttempt] = useState(0);
  // An effect would wait for the next frame.
  useLayoutEffect(() => {
    if (!load) return undefined;
    const controller = new AbortController();
    const unlessAborted = (next: (value: T | undefined) => typeof state): void => {
      if (!controller.signal.aborted) setState(({ value }) => next(value));
    };
    unlessAborted((value) => ({ value, isLoading: true, error: undefined }));
    load(controller.signal).then(
      (value) => unlessAborted(() => ({ value, isLoading: false, error: undefined })),
      (error: unknown) => unlessAborted((value) => ({ value, isLoading: false, error })),
    );
    return () => controller.abort();
  }, [...inputs, attempt]);
  return { ...state, again: () => setAttempt((last) => last + 1) };
}
