/** The last work of each key, while it goes on. */
const last = new Map<string, Promise<unknown>>();

/** Runs work after all work with the same key that was given before. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(key);
  const done = (async () => {
    await before?.catch(() => undefined);
    return work();
  })();
  last.set(key, done);
  try {
    return await done;
  } finally {
    if (last.get(key) === done) last.delete(key);
  }
}
