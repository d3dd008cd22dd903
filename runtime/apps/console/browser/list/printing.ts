import { html } from 'htm/preact';
import type { RefObject, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Api, messageOf, type Page } from '../api.ts';
import { useWindowEvent } from '../events.ts';
import type { Field, Resource } from '../model.ts';
import { texts } from '../texts.ts';
import { toast } from '../toast.ts';
import { textOf } from '../value-text.ts';
import { rangeText } from './pager.ts';
import { type ListQuery, requestOf } from './query.ts';

/** As many rows are printed. */
const maxRows = 1_000;

/** Milliseconds after which a list is printed, even if sums, or names of records that it refers to, are still missing. */
const patience = 10_000;

interface Printed {
  readonly resource: Resource;
  readonly query: ListQuery;
  readonly columns: readonly Field[];
  /** The element that holds the rows. */
  readonly box: RefObject<HTMLElement | null>;
}

/** Prints once the sums and the names of all records are there, which are loaded after rows are drawn; not if the page is left before. @returns what gives it up */
export function printSoon(box: HTMLElement | null): () => void {
  const start = performance.now();
  let frame = 0;
  const look = (): void => {
    if (box?.isConnected === false) return;
    const page = box?.closest('.list') ?? box;
    const missing = page?.querySelector(':is(td, dd) [aria-busy=true], .sums[aria-busy=true]');
    if (missing && performance.now() - start < patience) frame = requestAnimationFrame(look);
    else print();
  };
  // Effects of the rows, which ask for names, run after the first frame.
  frame = requestAnimationFrame(() => (frame = requestAnimationFrame(look)));
  return () => cancelAnimationFrame(frame);
}

interface Printing {
  /** The page to draw while it is printed. */
  readonly page: Page | undefined;
  /** Whether it is being loaded. */
  readonly isLoading: boolean;
  readonly print: () => void;
}

/** Prints the first records of a filter, not of a page. Another filter, order or column gives it up. */
export function usePrinting(api: Api, { resource, query, columns, box }: Printed): Printing {
  const request = `${resource.path}?${requestOf(resource, { ...query, limit: maxRows, page: 1, after: undefined }, columns)}`;
  const [wanted, setWanted] = useState<string>();
  const [page, setPage] = useState<Page>();
  const isWanted = wanted === request;
  useEffect(() => {
    if (!isWanted) return;
    const controller = new AbortController();
    const end = (): void => {
      controller.abort();
      setWanted(undefined);
      setPage(undefined);
    };
    api.get<Page>(request, controller.signal).then(
      (loaded) => !controller.signal.aborted && setPage(loaded),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        toast(messageOf(error), { isError: true });
        end();
      },
    );
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('afterprint', end);
      end();
    };
  }, [isWanted]);
  useEffect(() => (page ? printSoon(box.current) : undefined), [page]);
  return {
    page: isWanted ? page : undefined,
    isLoading: isWanted && !page,
    print: () => setWanted(request),
  };
}

interface PrintNoteProps {
  readonly start: number;
  readonly rows: readonly unknown[];
  readonly total: number;
  /** The words of a search. */
  readonly search: string;
}

/** The line that paper has below the heading of a list: how many records there are, when and where it was printed. */
export function PrintNote({ start, rows, total, search }: PrintNoteProps): VNode {
  const printed = useRef<HTMLSpanElement>(null);
  // The browser takes its picture before a component would be drawn anew.
  useWindowEvent('beforeprint', () => {
    const now = textOf(new Date().toISOString(), { type: 'string', format: 'date-time' });
    if (printed.current) printed.current.textContent = texts.print.printed(now, location.host);
  });
  return html`<p class="print-only">
    ${[rangeText(start, rows.length, total), search && texts.print.search(search)].filter(Boolean).join(' · ')}${' · '}
    <span ref=${printed}></span>
  </p>`;
}
