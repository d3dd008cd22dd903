import type { MaybePromise } from '../model/maybe-promise.ts';
import { mayBeLarge } from '../model/limits.ts';
import type { Table } from '../model/table.ts';
import { maxPageBytes } from '../records/limits.ts';
import type { Projection } from '../records/page.ts';
import { largeBytes, sliceBytes, workFactor } from './limits.ts';
import { connectionClosed, type Requester, Semaphore } from './semaphore.ts';
import type { RequestEnv } from './service.ts';

/** The memory of this process for large requests. */
export class Capacity {
  /** Bodies that are being read, and responses that their clients have not taken. */
  readonly memory: Semaphore;
  /** Bodies that are parsed and written. */
  readonly work: Semaphore;

  /** @param maxBytes bytes of memory: a quarter of it for work on bodies */
  constructor(maxBytes: number) {
    this.memory = new Semaphore(maxBytes * 0.75);
    this.work = new Semaphore((maxBytes * 0.25) / workFactor);
  }
}

/** The most bytes of a response with records of this table that are held at once. More than a quarter of all is not waited for. */
export function responseBytes({ service, capacity }: RequestEnv, table: Table, projection?: Projection): number {
  const items = projection?.expand ? service.tables.filter(({ parent }) => parent?.table === table.name) : [];
  const most = Math.max(maxPageBytes, ...[table, ...items].map(({ maxBody }) => maxBody));
  return Math.min(most, capacity.memory.limit / 4);
}

/** The most bytes of a response with events: the longest one has a record before and after a change. */
export const eventBytes = ({ service, capacity }: RequestEnv): number =>
  Math.min(2 * Math.max(...service.tables.map(({ maxBody }) => maxBody)), capacity.memory.limit / 4);

/**
 * The bytes that a change of a record counts for until its response is made. Few records have as many: if all changes counted as the
 * largest ones, most would wait for each other.
 */
export const storedBytes = (env: RequestEnv, table: Table): number =>
  mayBeLarge(table) ? responseBytes(env, table) : Math.min(sliceBytes, env.capacity.memory.limit / 4);

const requesterOf = ({ principal, outgoing }: RequestEnv): Requester => ({ key: principal.name, outgoing });

/**
 * Makes a request hold at least so many bytes of memory, until its response has left or its connection has closed. The bytes that it
 * holds already are counted while it waits for more.
 *
 * @param work see `Semaphore.acquire`
 * @throws ApiError `overloaded` (503) if there is no room in time, `bad_request` if the connection has closed
 */
export async function acquire(env: RequestEnv, bytes: number, work?: number): Promise<void> {
  const { memory } = env.capacity;
  const { held: before = 0 } = env;
  // While it holds some, a request for most of the memory would never be granted.
  const more = (before > 0 ? Math.min(bytes, memory.limit / 4) : bytes) - before;
  if (more <= 0) return;
  await memory.acquire(requesterOf(env), more, work, before > 0);
  const held = (env.held ?? 0) + more;
  setHeld(env, held, held);
  if (env.outgoing.closed) throw connectionClosed();
}

/** Makes a request that holds nothing hold bytes that are in memory already. @returns whether they fit */
export function tryAcquire(env: RequestEnv, bytes: number): boolean {
  const isFree = env.capacity.memory.tryAcquire(env.principal.name, bytes);
  if (isFree) setHeld(env, bytes, bytes);
  return isFree;
}

/**
 * Corrects the bytes that a request holds until its response has left, whether they fit or not.
 *
 * @param counted the bytes that are counted for it now
 */
export function setHeld(env: RequestEnv, bytes: number, counted = env.held ?? 0): void {
  const { outgoing, principal, capacity } = env;
  if (bytes === 0 && counted === 0) return;
  if (env.held === undefined) outgoing.once('close', () => setHeld(env, 0));
  env.held = outgoing.closed ? 0 : bytes;
  capacity.memory.change(principal.name, env.held - counted);
}

/**
 * Works on a body; on a large one, when there is memory for that.
 *
 * @param bytes of the body, or of the record that is changed
 * @throws ApiError as `acquire`; then nothing is done
 */
export async function workOn<R>(env: RequestEnv, bytes: number, work: () => MaybePromise<R>): Promise<R> {
  if (bytes <= largeBytes) return work();
  await acquire(env, bytes);
  const requester = requesterOf(env);
  await env.capacity.work.acquire(requester, bytes, bytes);
  try {
    return await work();
  } finally {
    env.capacity.work.change(requester.key, -bytes);
  }
}
