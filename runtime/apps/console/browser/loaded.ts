import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { messageOf, statusOf } from './api.ts';
import { keepFocus } from './focus.ts';
import { useLoading } from './loading.ts';
import type { Resource } from './model.ts';
import { listHref } from './route.ts';
import { texts } from './texts.ts';
import { toast } from './toast.ts';

/** Loads a part of the console that is rarely needed. @returns undefined if it cannot be loaded, which a message says */
export const loadPart = <T>(load: () => Promise<T>): Promise<T | undefined> =>
  load().catch(() => {
    toast(texts.dialog.partMissing, { isError: true });
    return undefined;
  });

/** The heading of a page that is being loaded; if it has the focus, the heading that comes in its place gets it. */
function Loading({ title }: { title: string }): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(
    () => () => {
      if (document.activeElement !== heading.current) return;
      // A list that is gone back to has put it on a row by then.
      requestAnimationFrame(keepFocus);
    },
    [],
  );
  return html`<h1 tabindex="-1" class="muted" aria-busy="true" ref=${heading}>${title}</h1>`;
}

interface LoadedProps<T> {
  readonly resource: Pick<Resource, 'route' | 'title'>;
  readonly load: (signal: AbortSignal) => Promise<T>;
  readonly show: (loaded: T) => VNode;
}

/** Shows what `load` has loaded; until then a heading, and a message if it fails. */
export function Loaded<T>({ resource, load, show }: LoadedProps<T>): VNode {
  const { value, error: failure, again } = useLoading(async (signal) => ({ loaded: await load(signal) }));
  if (value) return show(value.loaded);
  if (failure === undefined) return html`<${Loading} title=${resource.title} />`;
  const isMissing = statusOf(failure) === 404;
  return html`<div class="empty">
    <h1 tabindex="-1">${isMissing ? texts.record.missing(resource.title) : texts.record.cannotShow}</h1>
    <p>${isMissing ? texts.record.missingWhy : messageOf(failure)}</p>
    ${
      isMissing
        ? html`<a class="button" href=${listHref(resource.route)}>${texts.record.toList}</a>`
        : html`<button class="button" onClick=${again}>${texts.dialog.tryAgain}</button>`
    }
  </div>`;
}
