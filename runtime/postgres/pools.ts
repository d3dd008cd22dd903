import type { ConnectionOptions } from './connection-options.ts';
import { ConnectionPool } from './pool.ts';

/** Concurrent reads on one connection. */
const pipelineDepth = 64;

/** A quick read, or one of API keys, waits for a lock for so many milliseconds: those behind it on its connection wait as well. */
const timeouts = { lock_timeout: 100 };

/** Callers of one table that may wait for a connection: of quick work, and of work that takes some milliseconds each. */
const maxWaiting = 10_000;
const maxWaitingSlow = 1_000;

/** Milliseconds after which a check fails. */
export const checkTimeout = 1_500;

/** Milliseconds after which a replica is given up, so that the primary has time for what it was asked. */
const replicaDuration = { quick: 2_000, slow: 8_000 };

/** The pools of each kind of work. */
export type ReplicaPools = Readonly<Record<'quick' | 'slow', ConnectionPool>>;
export type PrimaryPools = ReplicaPools & Readonly<Record<'writes', ConnectionPool>>;

/** @param maxDuration milliseconds after which a request is given up */
export function poolsOfPrimary(options: ConnectionOptions, maxDuration: number): PrimaryPools {
  const { quick, slow } = sharesOf(options);
  const settings = { pipelineDepth: 1, maxWaiting, maxDuration };
  return {
    quick: new ConnectionPool(options, { ...settings, size: quick, pipelineDepth, timeouts }),
    slow: new ConnectionPool(options, { ...settings, size: slow, maxWaiting: maxWaitingSlow }),
    writes: new ConnectionPool(options, { ...settings, size: options.poolSize - quick - slow }),
  };
}

/** As many for reads as on a primary. A read that waits for a lock is soon given up, as the primary may not have that lock. */
export function poolsOfReplica(options: ConnectionOptions): ReplicaPools {
  const { quick, slow } = sharesOf(options);
  return {
    quick: new ConnectionPool(options, {
      size: quick,
      pipelineDepth,
      maxWaiting,
      maxDuration: replicaDuration.quick,
      timeouts,
    }),
    slow: new ConnectionPool(options, {
      size: slow,
      pipelineDepth: 1,
      maxWaiting: maxWaitingSlow,
      maxDuration: replicaDuration.slow,
      timeouts,
    }),
  };
}

/** The connections for reads: a quarter and a fifth of all. */
const sharesOf = ({ poolSize }: ConnectionOptions): { quick: number; slow: number } => ({
  quick: Math.max(1, Math.floor(poolSize / 4)),
  slow: Math.max(1, Math.floor(poolSize / 5)),
});
