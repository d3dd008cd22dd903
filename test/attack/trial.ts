import { setTimeout as wait } from 'node:timers/promises';

import { leadOf } from '../bench/leads.ts';
import { Random } from '../support/random.ts';
import type { Attack } from './attack.ts';
import { create, type Databases } from './contents.ts';
import { type Quiet, QuietClient } from './quiet.ts';
import { leadPath, quietKey, requestOf } from './requests.ts';
import { AttackedServer } from './server.ts';
import { mebibyte } from './sizes.ts';
import { Target } from './target.ts';
import { Wire } from './wire.ts';

/** What every attack must leave to the others; latencies in milliseconds, memory in bytes. */
export const bounds = { p99: 50, longest: 250, memory: 512 * mebibyte } as const;

/**
 * On a busy machine the quiet client waits although nobody attacks. This many times what it waits for then is allowed,
 * where that is more than the bound.
 */
const noiseFactor = 5;

/** How long the quiet client is alone first, and how long it is watched at least, in milliseconds. */
const alone = 2_000;
const watched = 2_000;

/** How long an attack may take, in milliseconds. */
const patience = 90_000;

/** How soon a new client must be answered when an attack is over, in milliseconds. */
const recovery = 5_000;

/** What an attack has done. */
export interface Outcome {
  readonly before: Quiet;
  readonly under: Quiet;
  /** The latencies that are allowed, in milliseconds. */
  readonly allowed: { readonly p99: number; readonly longest: number };
  /** The most resident memory, in bytes; 0 where it cannot be seen. */
  readonly memory: number;
  /** How long it took, in milliseconds. */
  readonly duration: number;
  /** How often it was done. */
  readonly rounds: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** Everything that must not be; empty where the service has withstood. */
  readonly violations: readonly string[];
}

/**
 * Attacks a new server, beside a quiet client.
 *
 * @param duration how long it goes on: it is done once, and again until so many milliseconds are over
 */
export async function attackServer(
  attack: Attack,
  databases: Databases,
  seed: number,
  duration: number,
): Promise<Outcome> {
  const database = await databases.with(attack.contents ?? 'leads');
  await using server = await AttackedServer.start(database.url);
  const { id } = await create(server.port, leadPath, leadOf(0));
  using quiet = new QuietClient(server.port, `${leadPath}/${id}`, quietKey);
  // The first requests are slower than all others, as code is compiled.
  await wait(300);
  await quiet.take();
  await wait(alone);
  const before = await quiet.take();

  const begin = performance.now();
  const random = new Random(seed);
  const statuses = new Map<number, number>();
  const violations = new Set<string>();
  let rounds = 0;
  do {
    using target = new Target(server.port, random, patience);
    await attack.run(target);
    rounds += 1;
    for (const [status, count] of target.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
    for (const violation of target.violations) violations.add(violation);
  } while (performance.now() - begin < duration && violations.size === 0 && server.end === undefined);
  const took = performance.now() - begin;
  await wait(Math.max(200, watched - took));
  const under = await quiet.take();

  const allowed = {
    p99: Math.max(bounds.p99, noiseFactor * before.p99),
    longest: Math.max(bounds.longest, noiseFactor * before.longest),
  };
  if (server.end !== undefined) violations.add(`the server ended: ${server.end}`);
  else if (!(await answersAnew(server, id))) violations.add(`no answer to a new client within ${recovery} ms`);
  if (under.p99 > allowed.p99) violations.add('p99');
  if (under.longest > allowed.longest) violations.add('longest stall');
  if (server.peak > bounds.memory) violations.add('memory');
  for (const error of new Set(under.errors)) violations.add(`quiet client: ${error}`);
  return {
    before,
    under,
    allowed,
    memory: server.peak,
    duration: took,
    rounds,
    statuses,
    violations: [...violations],
  };
}

/** Whether somebody who comes now is served. */
async function answersAnew(server: AttackedServer, id: string): Promise<boolean> {
  let status = 0;
  const wire = new Wire(server.port, { onStatus: (answered) => (status = answered) });
  await wire.send(requestOf('GET', `${leadPath}/${id}`, { key: quietKey, last: true }));
  await Promise.race([wire.closed, wait(recovery)]);
  wire.socket.destroy();
  return status === 200;
}
