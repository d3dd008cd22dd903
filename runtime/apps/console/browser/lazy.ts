/** Makes a value when it is first asked for: formats of `Intl` take milliseconds, which the first page would wait for. */
export function lazy<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}
