import { setImmediate as nextTurn } from 'node:timers/promises';
import { maxBatchResults, maxBodyBytes } from '../model/limits.ts';
import { largeBytes, workFactor } from './limits.ts';
import { connectionClosed, Semaphore } from './semaphore.ts';
import type { RequestEnv } from './service.ts';

/** The large requests of this process. A slot stands for 1 MiB. */
export class Capacity {
  /** Requests whose body or response may be large, until the response has left. */
  readonly large: Semaphore;
  /** The requests among them that turn out to need far more. */
  readonly longest: Semaphore;
  /** Bodies that are parsed and written. */
  readonly work: Semaphore;

  /** @param mebibytes of memory: three quarters of it for bodies and responses */
  constructor(mebibytes: number) {
    const part = (share: number): Semaphore => new Semaphore(Math.max(1, Math.floor(mebibytes * share)));
    this.large = part(0.75);
    this.longest = part(0.25);
    this.work = part(0.25 / workFactor);
  }

  /** Bytes that a key may have at once, unless it has a single request. */
  get maxShare(): number {
    return (this.large.limit * maxBodyBytes) / 2;
  }
}

const slotsOf = ({ limit }: Semaphore, bytes: number): number => Math.min(limit, Math.ceil(bytes / maxBodyBytes));

/** Takes slots for so many bytes. @returns gives them back */
const enterFor = ({ principal, outgoing }: RequestEnv, semaphore: Semaphore, bytes: number): Promise<() => void> =>
  semaphore.enter({ key: principal.name, outgoing }, slotsOf(semaphore, bytes));

/** @returns releases earlier @throws ApiError `bad_request` if the connection has closed */
function releaseAtClose(env: RequestEnv, release: () => void): () => void {
  const leave = (): void => {
    env.outgoing.off('close', leave);
    env.leave = undefined;
    release();
  };
  env.outgoing.once('close', leave);
  if (!env.outgoing.closed) return leave;
  leave();
  throw connectionClosed();
}

/**
 * Makes a request one of the large ones, until its response has left or its connection has closed. One that is goes on.
 *
 * @param bytes the most that it holds
 * @throws ApiError `overloaded` (503) if there are too many for too long, `bad_request` if the connection has closed
 */
export async function enter(env: RequestEnv, bytes: number): Promise<void> {
  env.leave ??= releaseAtClose(env, await enterFor(env, env.capacity.large, bytes));
}

/** The same for a response that is in memory already. @returns whether there is room for it now */
export function tryEnter(env: RequestEnv, bytes: number): boolean {
  const { large } = env.capacity;
  if (env.leave) return true;
  const release = large.tryEnter(env.principal.name, slotsOf(large, bytes));
  if (release) env.leave = releaseAtClose(env, release);
  return release !== undefined;
}

/** Makes a request one of the few that may hold 32 MiB, besides what it holds, until its connection has closed. @throws as `enter` */
export async function enterLongest(env: RequestEnv): Promise<void> {
  releaseAtClose(env, await enterFor(env, env.capacity.longest, maxBatchResults));
}

let last: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop that no other caller gets: other requests go past large ones. */
export const ownTurn = (): Promise<void> => (last = last.then(() => nextTurn()));

/**
 * Works on a body; on a large one, when few others are worked on.
 *
 * @param bytes of the body, or of the record that is changed
 * @throws ApiError as `enter`; then nothing is done
 */
export async function workOn<R>(env: RequestEnv, bytes: number, work: () => Promise<R>): Promise<R> {
  if (bytes <= largeBytes) return work();
  const release = await enterFor(env, env.capacity.work, bytes);
  try {
    await ownTurn();
    return await work();
  } finally {
    release();
  }
}
