import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The heading of a page that is being loaded; if it has the focus, the heading that comes in its place gets it. */
export function Loading({ title }: { title: string }): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(
    () => () => {
      if (document.activeElement !== heading.current) return;
      requestAnimationFrame(() => document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true }));
    },
    [],
  );
  return html`<h1 tabindex="-1" class="muted" aria-busy="true" ref=${heading}>${title}</h1>`;
}
