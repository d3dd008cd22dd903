import { useEffect, useState } from 'preact/hooks';

/** Below this width, in CSS pixels, pages are laid out for phones; the style sheet has the same. */
const narrow = matchMedia('screen and (max-width: 760px)');

/** Whether the window is as narrow as a phone. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const listener = (): void => setNarrow(narrow.matches);
    narrow.addEventListener('change', listener);
    return () => narrow.removeEventListener('change', listener);
  }, []);
  return isNarrow;
}
