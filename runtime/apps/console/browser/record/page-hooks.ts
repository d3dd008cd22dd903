import { useEffect, useRef } from 'preact/hooks';

/** Saves by Ctrl+S or Cmd+S, and leaves by Escape. */
export function useShortcuts(save: () => void, leave: (() => void) | undefined): void {
  const latest = useRef({ save, leave });
  latest.current = { save, leave };
  useEffect(() => {
    const keyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      if (event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey) && !event.altKey) {
        event.preventDefault();
        latest.current.save();
      } else if (event.key === 'Escape' && latest.current.leave) {
        event.preventDefault();
        latest.current.leave();
      }
    };
    addEventListener('keydown', keyDown);
    return () => removeEventListener('keydown', keyDown);
  }, []);
}

/** Reads a record again when the user comes back to the page: another user may have changed it. */
export function useRefresh(refresh: () => Promise<void>): void {
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => {
    const look = (): void => {
      // Whether the server can be reached is told when something is saved.
      if (document.visibilityState === 'visible') latest.current().catch(() => {});
    };
    addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
}
