import { maxBodyBytes, maxWorkDuration } from '../model/limits.ts';
import type { Table } from '../model/table.ts';
import type { RequestEnv } from './service.ts';
import { maxPageBytes, type Projection } from '../records/store.ts';
import { ByteBudget } from './byte-budget.ts';
import { type Caller, connectionClosed } from './waiter.ts';
import { WorkQueue } from './work-queue.ts';

/** Bytes above which a body or an answer is large: it is counted, and worked on in its turn. */
export const largeBytes = 65_536;

/**
 * Work on a body takes up to this many times its bytes, measured with bodies of 10 to 16 MiB in several scripts: they are
 * decoded, parsed by one thread, sent to the one that writes and bound there, and the record comes back as JSON.
 */
const workFactor = 14;

/** Bytes of large answers that are made at once: several, as one may wait for its database. */
const maxAnswerWork = 16 * 1024 * 1024;

/** Milliseconds after which the answers of a locked table no longer keep those of others from being made. */
const maxAnswerHold = 200;

/** The memory and time of this process for large bodies and responses. */
export class Capacity {
  /** Bodies that are being read, and answers that their clients have not taken. */
  readonly memory: ByteBudget;
  /** Work on bodies, until their writes are done. */
  readonly bodies: WorkQueue;
  readonly answers = new WorkQueue(maxAnswerWork, maxAnswerHold);

  /** The longest bodies of line items, by the table of their parents. */
  readonly #maxItemBodies = new Map<string, number>();

  /** @param maxBytes bytes of memory for large bodies and answers: a quarter of it for work on bodies */
  constructor(maxBytes: number, tables: readonly Table[] = []) {
    for (const { parent, maxBody } of tables) {
      const name = parent?.table ?? '';
      this.#maxItemBodies.set(name, Math.max(maxBody, this.#maxItemBodies.get(name) ?? 0));
    }
    this.memory = new ByteBudget(maxBytes * 0.75);
    this.bodies = new WorkQueue((maxBytes * 0.25) / workFactor);
  }

  /**
   * Bytes of an answer with records of this table that are held at once, before they are known. A record may be longer than any
   * body, as several updates have filled it: there is room for more before it is held.
   */
  estimate(table: Table, view?: Projection): number {
    const items = view?.expand ? (this.#maxItemBodies.get(table.name) ?? 0) : 0;
    return Math.min(Math.max(maxPageBytes, table.maxBody, items), this.memory.limit / 4);
  }
}

/** Whether a single record of this table is expected to be longer than a page. */
export const mayBeLarge = (table: Table): boolean => table.maxBody > maxBodyBytes;

/** The key whose share a request uses. */
export const clientOf = ({ principal }: RequestEnv): string => principal.name;

/**
 * The request that large work is done for. It may wait for as long as the work on it may take, from its last byte on.
 *
 * @param patience milliseconds that it may wait instead
 * @throws ApiError `bad_request` where the connection has closed
 */
export function callerOf(env: RequestEnv, patience?: number): Caller {
  const { outgoing } = env;
  if (outgoing.closed) throw connectionClosed();
  const now = performance.now();
  env.since ??= now;
  return { client: clientOf(env), patience: patience ?? maxWorkDuration - (now - env.since), outgoing };
}

/**
 * Makes a request hold at least so many bytes of memory, until its answer has left or its connection has closed.
 *
 * @param patience see `callerOf`
 * @throws ApiError `overloaded` (503) where there is no room within 10 seconds, `bad_request` where the connection has closed
 */
export async function reserve(env: RequestEnv, bytes: number, patience?: number): Promise<void> {
  const held = env.reservation?.bytes ?? 0;
  if (held >= bytes) return;
  const more = await env.capacity.memory.reserve(callerOf(env, patience), bytes - held, held);
  hold(env, bytes);
  // Counted by the reservation of the request now: others must not find its room free in between.
  more.release();
  if (env.outgoing.closed) throw connectionClosed();
}

/**
 * As `reserve`, for a request that has nothing in its hands: it holds nothing meanwhile, so that of several that wait for more
 * than they have, one always finds room.
 */
export async function makeRoom(env: RequestEnv, bytes: number, patience?: number): Promise<void> {
  const held = env.reservation?.bytes ?? 0;
  if (held >= bytes) return;
  if (held > 0) hold(env, 0);
  await reserve(env, bytes, patience);
}

/** Corrects what is counted for a request: it holds so many bytes, until its answer has left. */
export function hold(env: RequestEnv, bytes: number): void {
  if (env.outgoing.closed) return;
  if (env.reservation) return env.reservation.resize(bytes);
  const reservation = env.capacity.memory.take(clientOf(env), bytes);
  env.reservation = reservation;
  env.outgoing.once('close', () => reservation.release());
}
