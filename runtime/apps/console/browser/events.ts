import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';

type WindowEvents = WindowEventMap & DocumentEventMap;

/** Listens to an event of the window while a component is shown. */
export function useWindowEvent<Name extends keyof WindowEvents>(
  name: Name,
  listener: (event: WindowEvents[Name]) => void,
): void {
  const latest = useRef(listener);
  latest.current = listener;
  // A key may be pressed before the first frame.
  useLayoutEffect(() => {
    const listen = (event: WindowEvents[Name]): void => latest.current(event);
    addEventListener(name, listen as EventListener);
    return () => removeEventListener(name, listen as EventListener);
  }, []);
}

/** A signal that is aborted when a component is no longer shown. */
export function useLifetime(): AbortSignal {
  const controller = useMemo(() => new AbortController(), []);
  useLayoutEffect(() => () => controller.abort(), []);
  return controller.signal;
}

/** The content of the input, text area or select that an event is of. */
export const valueOf = ({ target }: Event): string =>
  (target as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement).value;

/** Whether keys are typed into the element that has the focus, or are those of a dialog. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox]), textarea, select, dialog, [role=dialog], [role=menu]') !== null;
