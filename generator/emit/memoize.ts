/** A function of an object, with each result computed once and kept as long as the object is. */
export function memoize<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, V>();
  return (key) => results.getOrInsertComputed(key, compute);
}
