import { setTimeout as wait } from 'node:timers/promises';

import { leadOf } from '../bench/leads.ts';
import { Random } from '../support/random.ts';
import type { Attack } from './attack.ts';
import { create, type Databases } from './contents.ts';
import { type Latencies, type Quiet, QuietClient } from './quiet.ts';
import { leadPath, quietKey, requestOf } from './requests.ts';
import { AttackedServer } from './server.ts';
import { mebibyte } from './sizes.ts';
import { Target } from './target.ts';
import { Wire } from './wire.ts';

/** What every attack must leave to the others; latencies in milliseconds, memory in bytes. */
export const bounds = { p99: 50, longest: 250, memory: 512 * mebibyte } as const;

/**
 * Other programs that use the disk, or the database, make the quiet client wait although nobody attacks. This many times
 * what it waits for then is allowed, where that is more than the bound.
 */
const noiseFactor = 5;

/** How long the quiet client is alone first, and how long it is watched at least, in milliseconds. */
const alone = 1_500;
const watched = 2_000;

/** The first requests are slower than all others, as code is compiled. In milliseconds. */
const warmUp = 300;

/** How long an attack may take, in milliseconds. */
const patience = 90_000;

/** How soon a new client must be answered when an attack is over, in milliseconds. */
const recovery = 5_000;

/** How often an attack is tried whose only violation is that the quiet client waited: a busy machine may have done it. */
const tries = 3;

/** What an attack has done. */
export interface Outcome {
  readonly before: Quiet;
  readonly under: Quiet;
  /** The latencies that are allowed, in milliseconds. */
  readonly allowed: Latencies;
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
 * Attacks a new server, beside a quiet client; and again where only the quiet client's waiting is wrong, which a busy
 * machine may have done.
 *
 * @param duration how long it goes on: it is done once, and again until so many milliseconds are over
 * @param report is given every try, the last one too
 */
export async function attackServer(
  attack: Attack,
  databases: Databases,
  seed: number,
  duration: number,
  report: (outcome: Outcome) => void,
): Promise<Outcome> {
  for (let number = 1; ; number++) {
    const outcome = await tryOnce(attack, databases, seed, duration);
    report(outcome);
    const onlyWaited = outcome.violations.every((violation) => violation === 'p99' || violation === 'longest stall');
    if (outcome.violations.length === 0 || !onlyWaited || number === tries) return outcome;
  }
}

async function tryOnce(attack: Attack, databases: Databases, seed: number, duration: number): Promise<Outcome> {
  const database = await databases.with(attack.contents ?? 'leads');
  await using server = await AttackedServer.start(database.url);
  const id = await create(server.port, leadPath, leadOf(0));
  const request = requestOf('GET', `${leadPath}/${id}`, { key: quietKey });
  using clients = new DisposableStack();
  const quiet = [request, ...(attack.beside ? [attack.beside] : [])].map((bytes) =>
    clients.use(new QuietClient(server, bytes)),
  );
  await wait(warmUp);
  await QuietClient.take(quiet);
  await wait(alone);
  const before = await QuietClient.take(quiet);

  const begin = performance.now();
  const random = new Random(seed);
  const statuses = new Map<number, number>();
  const violations = new Set<string>();
  let rounds = 0;
  do {
    using target = new Target(server.port, database.url, random, patience);
    await attack.run(target);
    rounds += 1;
    for (const [status, count] of target.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
    for (const violation of target.violations) violations.add(violation);
  } while (performance.now() - begin < duration && violations.size === 0 && server.end === undefined);
  const took = performance.now() - begin;
  await wait(Math.max(200, watched - took));
  const under = await QuietClient.take(quiet);

  const allowed = {
    p99: Math.max(bounds.p99, noiseFactor * before.own.p99),
    longest: Math.max(bounds.longest, noiseFactor * before.own.longest),
  };
  if (server.end !== undefined) violations.add(`the server ended: ${server.end}`);
  else if (!(await answersAnew(server, request))) violations.add(`no answer to a new client within ${recovery} ms`);
  if (under.own.p99 > allowed.p99) violations.add('p99');
  if (under.own.longest > allowed.longest) violations.add('longest stall');
  if (server.peak > bounds.memory) violations.add('memory');
  for (const error of under.errors) violations.add(`quiet client: ${error}`);
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
async function answersAnew(server: AttackedServer, request: Uint8Array): Promise<boolean> {
  const status = await new Promise<number>((resolve) => {
    const wire = new Wire(server.port, { onStatus: resolve });
    void wire.send(request);
    void Promise.race([wire.closed, wait(recovery)]).then(() => {
      wire.socket.destroy();
      resolve(0);
    });
  });
  return status === 200;
}
