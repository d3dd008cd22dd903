import { useEffect, useState } from 'preact/hooks';

/** Below this width, in CSS pixels, pages are laid out for phones; the style sheet has the same. */
const query = matchMedia('(max-width: 760px)');

/** Whether the page is as narrow as a phone. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const listener = (): void => setNarrow(query.matches);
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  }, []);
  return isNarrow;
}
