/** The place of the row whose middle is nearest to a height on the page. */
function placeAt(body: HTMLElement, y: number): number {
  const rows = [...body.querySelectorAll<HTMLElement>(':scope > [data-row]')];
  const distances = rows.map((row) => {
    const { top, height } = row.getBoundingClientRect();
    return Math.abs(top + height / 2 - y);
  });
  return distances.indexOf(Math.min(...distances));
}

/** Pixels from the upper and lower end of the page where dragging scrolls it, and by how many at a time. */
const edge = { height: 72, step: 14 };

function scrollAt(body: HTMLElement, y: number): void {
  const step = y < edge.height * 2 ? -edge.step : y > innerHeight - edge.height ? edge.step : 0;
  if (step !== 0) body.closest('main')?.scrollBy(0, step);
}

/**
 * Moves rows while a handle is dragged, with a mouse, a pen or a finger; they move at once. The handle moves with its row,
 * so the page is listened to: a node that moves in the document loses the pointer.
 *
 * @param event of the handle, inside of the element `[data-rows]` that holds the rows `[data-row]`
 * @param start the place of its row
 * @param move from one place to another
 * @param end is told where the row is, when it is let go
 */
export function dragRow(
  event: PointerEvent,
  start: number,
  move: (from: number, to: number) => void,
  end: (at: number) => void,
): void {
  const body = (event.currentTarget as HTMLElement).closest<HTMLElement>('[data-rows]');
  if (event.button !== 0 || !body) return;
  const { pointerId } = event;
  const controller = new AbortController();
  const { signal } = controller;
  let at = start;
  const listen = (name: 'pointermove' | 'pointerup' | 'pointercancel', how: (clientY: number) => void): void =>
    addEventListener(name, (moved) => moved.pointerId === pointerId && how(moved.clientY), { signal });
  const stop = (): void => {
    controller.abort();
    if (at !== start) end(at);
  };
  listen('pointermove', (y) => {
    scrollAt(body, y);
    const to = placeAt(body, y);
    if (to === -1 || to === at) return;
    move(at, to);
    at = to;
  });
  listen('pointerup', stop);
  listen('pointercancel', stop);
}
