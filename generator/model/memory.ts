import { isDeepStrictEqual } from 'node:util';

/** A function of an object that computes each result once. It must depend on the object alone. */
export function memoize<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const kept = results.get(key);
    if (kept) return kept.value;
    const value = compute(key);
    results.set(key, { value });
    return value;
  };
}

/**
 * Returns the value that the last call for its key got, if it is equal to this one. So `npm run dev` makes again only the parts of a
 * service that a save changes: the results of memoized functions stand for equal values, too.
 */
export function keepEqual<V extends object>(keyOf: (value: V) => string): (value: V) => V {
  const last = new Map<string, V>();
  return (value) => {
    const key = keyOf(value);
    const kept = last.get(key);
    if (kept && isDeepStrictEqual(kept, value) && JSON.stringify(kept) === JSON.stringify(value)) return kept;
    last.set(key, value);
    return value;
  };
}
