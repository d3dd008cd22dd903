/** Makes a value when it is first asked for: formats of `Intl` take milliseconds, which the first page would wait for. */
export function lazy<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}

/** Computes a value once for each object. */
export function oncePer<K extends WeakKey, V extends object>(compute: (key: K) => V): (key: K) => V {
  const values = new WeakMap<K, V>();
  return (key) => {
    const known = values.get(key);
    if (known) return known;
    const value = compute(key);
    values.set(key, value);
    return value;
  };
}
