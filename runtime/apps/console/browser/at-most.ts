/**
 * Lets at most so many requests be under way at once; the others begin in their turn.
 *
 * @returns a function that takes the start of a request, and returns its outcome
 */
export function atMost(limit: number): <T>(start: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = limit;
  return async (start) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await start();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
