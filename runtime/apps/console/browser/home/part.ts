import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../api.ts';
import { texts } from '../texts.ts';

/** Reads JSON from the API in its turn: few requests of the page are under way at once. @throws as `Api` does */
export type Read = <T>(path: string, signal: AbortSignal) => Promise<T>;

/** A part of the page that is loaded by itself. */
interface Part<T> {
  /** Undefined until it is there. */
  readonly value: T | undefined;
  /** Why it could not be loaded, and a button that tries again; undefined if nothing is wrong. */
  readonly failure: VNode | undefined;
}

/** Loads a part of the page, once. */
export function usePart<T>(load: (signal: AbortSignal) => Promise<T>): Part<T> {
  const [value, setValue] = useState<T>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    load(controller.signal).then(setValue, (reason: unknown) => {
      if (!controller.signal.aborted) setError(reason);
    });
    return () => controller.abort();
  }, [attempt]);
  const again = (): void => {
    setError(undefined);
    setAttempt(attempt + 1);
  };
  const failure =
    error === undefined
      ? undefined
      : html`<span class="home-failure" role="alert">
          <span class="error-text">${messageOf(error)}</span>
          <button type="button" class="button quiet" onClick=${again}>${texts.dialog.tryAgain}</button>
        </span>`;
  return { value, failure };
}
