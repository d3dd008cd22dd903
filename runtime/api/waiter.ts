import type { ServerResponse } from 'node:http';
import { ApiError } from '../model/errors.ts';

/** The request that something large is done for. */
export interface Caller {
  /** Its key, however it is written. */
  readonly client: string;
  /** Milliseconds that it may still wait; Infinity for as long as it takes. */
  readonly patience: number;
  readonly outgoing: Pick<ServerResponse, 'closed' | 'once' | 'off'>;
}

export const connectionClosed = (): ApiError =>
  new ApiError('bad_request', 'The connection closed before the request was processed.');

/** A place in a queue, until it is called or gives up: nothing is done for a caller that has left or waited too long. */
export class Waiter<T = void> {
  readonly bytes: number;
  /** Resolves with the value of the call. Rejected with the error of giving up. */
  readonly called: Promise<T>;
  readonly call: (value: T) => void;

  /**
   * @param milliseconds after which it gives up, if the caller has not less patience
   * @param late the error of that
   * @param leave takes it out of its queue
   */
  constructor(
    { patience, outgoing }: Caller,
    bytes: number,
    milliseconds: number,
    late: () => ApiError,
    leave: (waiter: Waiter<T>) => void,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.bytes = bytes;
    this.called = promise;
    let isWaiting = true;
    const giveUp = (error: ApiError): void => {
      // Another listener of the same event may have made room for it.
      if (!isWaiting) return;
      end();
      leave(this);
      reject(error);
    };
    const onClose = (): void => giveUp(connectionClosed());
    const limit = Math.min(milliseconds, patience);
    const timer = limit < Infinity ? setTimeout(() => giveUp(late()), limit) : undefined;
    const end = (): void => {
      isWaiting = false;
      clearTimeout(timer);
      outgoing.off('close', onClose);
    };
    outgoing.once('close', onClose);
    this.call = (value) => {
      end();
      resolve(value);
    };
  }
}
