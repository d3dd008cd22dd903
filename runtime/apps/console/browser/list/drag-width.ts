import { type Layout, withWidth } from './columns.ts';

/**
 * Sizes a column while the edge of its heading is dragged. It and the columns before it keep their widths from then on, so that the edge
 * stays below the pointer; those behind it take what is left, as before.
 *
 * @param event of the edge, inside of the heading `[data-name]`
 */
export function dragWidth(event: PointerEvent, layout: Layout, change: (layout: Layout) => void): void {
  const edge = event.currentTarget as HTMLElement;
  const heading = edge.closest<HTMLElement>('[data-name]');
  if (event.button !== 0 || !heading) return;
  event.preventDefault();
  edge.setPointerCapture(event.pointerId);
  const headings = [...(heading.parentElement?.querySelectorAll<HTMLElement>('[data-name]') ?? [])];
  const before = headings.slice(0, headings.indexOf(heading) + 1);
  const sized = before.reduce(
    (kept, one) => withWidth(kept, one.dataset['name'] as string, one.getBoundingClientRect().width),
    layout,
  );
  const { width } = heading.getBoundingClientRect();
  const controller = new AbortController();
  const { signal } = controller;
  const size = ({ clientX }: PointerEvent): void =>
    change(withWidth(sized, heading.dataset['name'] as string, width + clientX - event.clientX));
  edge.addEventListener('pointermove', size, { signal });
  edge.addEventListener('lostpointercapture', () => controller.abort(), { signal });
}
