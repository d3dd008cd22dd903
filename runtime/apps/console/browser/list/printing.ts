import { html } from 'htm/preact';
import type { RefObject, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Api, messageOf, type Page } from '../api.ts';
import type { Field, Resource } from '../model.ts';
import { texts } from '../texts.ts';
import { toast } from '../toast.ts';
import { textOf } from '../value-text.ts';
import { type ListQuery, requestOf } from './query.ts';

/** As many rows are printed. */
const maxRows = 1_000;

/** Milliseconds after which a list is printed, even if names of records that it refers to are still missing. */
const patience = 10_000;

interface Printed {
  readonly resource: Resource;
  readonly query: ListQuery;
  readonly columns: readonly Field[];
  /** The element that holds the rows. */
  readonly box: RefObject<HTMLElement | null>;
}

/** Prints once the names of all records are there, which cells load after they are drawn; not if the page is left before. @returns what gives it up */
export function printSoon(box: HTMLElement | null): () => void {
  const start = performance.now();
  let frame = 0;
  const look = (): void => {
    if (box?.isConnected === false) return;
    const isMissing = box?.querySelector(':is(td, dd) [aria-busy=true]') !== null;
    if (isMissing && performance.now() - start < patience) frame = requestAnimationFrame(look);
    else print();
  };
  // Effects of the rows, which ask for names, run after the first frame.
  frame = requestAnimationFrame(() => (frame = requestAnimationFrame(look)));
  return () => cancelAnimationFrame(frame);
}

/**
 * Prints the first records of a filter, not of a page.
 *
 * @returns the page to draw while it is printed, and what begins to print
 */
export function usePrinting(
  api: Api,
  { resource, query, columns, box }: Printed,
): readonly [Page | undefined, () => void] {
  const [page, setPage] = useState<Page>();
  useEffect(() => {
    if (!page) return;
    const giveUp = printSoon(box.current);
    const end = (): void => setPage(undefined);
    addEventListener('afterprint', end);
    return () => {
      giveUp();
      removeEventListener('afterprint', end);
    };
  }, [page]);
  const start = (): void => {
    const parameters = requestOf(resource, { ...query, limit: maxRows, page: 1, after: undefined }, columns);
    api
      .get<Page>(`${resource.path}?${parameters}`)
      .then(setPage, (error: unknown) => toast(messageOf(error), { isError: true }));
  };
  return [page, start];
}

/** The line that paper has below the heading of a list: how many records there are, when and where it was printed. */
export const PrintNote = ({ range, search }: { range: string; search: string }): VNode =>
  html`<p class="print-only">
    ${[
      range,
      search && texts.print.search(search),
      texts.print.printed(textOf(new Date().toISOString(), { type: 'string', format: 'date-time' }), location.host),
    ]
      .filter(Boolean)
      .join(' · ')}
  </p>`;
