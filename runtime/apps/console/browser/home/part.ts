import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { messageOf } from '../api.ts';
import { useLoading } from '../loading.ts';
import { texts } from '../texts.ts';

/** A part of the page that is loaded by itself. */
interface Part<T> {
  /** Undefined until it is there. */
  readonly value: T | undefined;
  /** Why it could not be loaded, and a button that tries again; undefined if nothing is wrong. */
  readonly failure: VNode | undefined;
}

/** Loads a part of the page, once. */
export function usePart<T>(load: (signal: AbortSignal) => Promise<T>): Part<T> {
  const { value, error, again } = useLoading(load);
  const failure =
    error === undefined
      ? undefined
      : html`<span class="home-failure" role="alert">
          <span class="error-text">${messageOf(error)}</span>
          <button type="button" class="button quiet" onClick=${again}>${texts.dialog.tryAgain}</button>
        </span>`;
  return { value, failure };
}
