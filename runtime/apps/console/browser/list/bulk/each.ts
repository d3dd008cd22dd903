/** As many requests as a browser sends to one server at a time. */
const atOnce = 6;

/**
 * Does something with each entry, six at a time, in their order. It begins no other once `signal` is aborted, or one has failed.
 *
 * @throws the first error, once none is under way any more
 */
export async function each<T>(
  entries: readonly T[],
  signal: AbortSignal,
  act: (entry: T) => Promise<void>,
): Promise<void> {
  const rest = entries.values();
  let failure: { readonly error: unknown } | undefined;
  const work = async (): Promise<void> => {
    for (const entry of rest) {
      if (failure || signal.aborted) return;
      try {
        await act(entry);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failure) throw failure.error;
}
