/** Gives the focus to the heading of the page if nothing has it, as the element that had it is gone. */
export function keepFocus(): void {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true });
}
