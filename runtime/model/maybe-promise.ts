/** A value, or a promise of one: an embedded engine has the result of a read at once. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value: at once where it is there, for a promise costs more than many a read. */
export const andThen = <T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> =>
  value instanceof Promise ? value.then(next) : next(value);
