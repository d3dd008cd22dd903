import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** The part of a list that is in the window. */
export interface Beside {
  /** Its width in CSS pixels. */
  readonly width: number;
  /** The number of columns beyond its end. */
  readonly after: number;
  /** Others are before its start. */
  readonly isScrolled: boolean;
}

/** A column counts as seen if at most so many pixels of it are not. */
const tolerance = 12;

/**
 * Tells how much of a list is in the window, while it is scrolled and sized.
 *
 * @param box scrolls the table
 * @param turn changes with the columns and their widths
 */
export function useBeside(box: RefObject<HTMLElement | null>, turn: string): Beside {
  const [beside, setBeside] = useState<Beside>({ width: 0, after: 0, isScrolled: false });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void => {
      const { clientWidth: width, scrollLeft } = element;
      const end = element.getBoundingClientRect().left + width + tolerance;
      const headings = [...element.querySelectorAll('thead th')];
      const after = headings.filter((heading) => heading.getBoundingClientRect().right > end).length;
      const now: Beside = { width, after, isScrolled: scrollLeft > tolerance };
      setBeside((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
    };
    // It is told the first size in the next frame, too: measuring before would have the page laid out twice.
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [turn]);
  return beside;
}
