import { type RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Pixels of a row of a table, and of a card; the style sheet has the same. */
export const heights = { row: 38, card: 68 };

/** Rows beyond the visible ones that are there already. */
const spare = 16;

/** The range moves by so many rows at once, so that most scrolling draws nothing. */
const step = 8;

/** The rows of a long list that are in the page. */
export interface Visible {
  readonly first: number;
  /** The one after the last. */
  readonly end: number;
}

/**
 * Which rows of a scrolled box are to be drawn.
 *
 * @param height of each row, in pixels
 */
export function useVisibleRows(box: RefObject<HTMLElement | null>, count: number, height: number): Visible {
  const [visible, setVisible] = useState<Visible>({ first: 0, end: Math.min(count, 60) });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void => {
      const top = Math.floor(element.scrollTop / height / step) * step;
      const shown = Math.ceil(element.clientHeight / height / step + 1) * step;
      const next = { first: Math.max(0, top - spare), end: Math.min(count, top + shown + spare) };
      setVisible((now) => (now.first === next.first && now.end === next.end ? now : next));
    };
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, [count, height]);
  return visible;
}
