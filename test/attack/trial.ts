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

/** The limits that every attack must keep for other clients; latencies in milliseconds, memory in bytes. */
export const bounds = { p99: 50, longest: 250, memory: 512 * mebibyte } as const;

/**
 * Other programs that use the disk or the database make the quiet client wait without an attack. If this many times that
 * wait is more than the bound, it is the bound.
 */
const noiseFactor = 5;

/** How long the quiet client is alone first, in milliseconds. */
const alone = 1_500;

/** How long it is watched at least, in milliseconds: two slow answers alone are not to be its p99. */
const watched = 5_000;

/** The first requests are slower than all others, as code is compiled. In milliseconds. */
const warmUp = 300;

/** How soon a new client must be answered when an attack is over, in milliseconds. */
const recovery = 5_000;

/** How often an attack is tried whose only violation is that the quiet client waited: a busy machine may have done it. */
const tries = 3;

/** The names of violations by latency. */
export const latencyViolations = { p99: 'p99', longest: 'longest stall' } as const;

/** The result of an attack. */
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

export interface AttackOptions {
  /** The seed of the random choices. */
  readonly seed: number;
  /** How long goes on what has no end of its own, like a flood, in milliseconds. */
  readonly time: number;
  /** How long the quiet client is watched at least, in milliseconds, if not for 5 s. */
  readonly watch?: number;
  /** How many times the bounds of latencies are allowed, if not once: for a machine that other programs use as well. */
  readonly slack?: number;
  /** The attack is done once, and again until so many milliseconds are over. */
  readonly duration?: number;
}

/** Whether the quiet client's waiting is all that was wrong. */
const onlyWaited = ({ violations }: Outcome): boolean =>
  violations.every((violation) => violation === latencyViolations.p99 || violation === latencyViolations.longest);

/**
 * Attacks a new server; and again where only the quiet client's waiting is wrong.
 *
 * @param report is given the outcome of every try
 * @returns what must not be, of the last try
 */
export async function attackServer(
  attack: Attack,
  databases: Databases,
  options: AttackOptions,
  report: (outcome: Outcome) => void,
): Promise<readonly string[]> {
  for (let number = 1; ; number++) {
    await using trial = await Trial.start(databases, attack);
    const outcome = await trial.attack(attack, options);
    report(outcome);
    if (outcome.violations.length === 0 || !onlyWaited(outcome) || number === tries) return outcome.violations;
  }
}

/** A server with a quiet client beside it, to be attacked. */
export class Trial implements AsyncDisposable {
  readonly #server: AttackedServer;
  readonly #databaseUrl: string;
  readonly #request: Uint8Array;
  readonly #clients: readonly QuietClient[];
  #before!: Quiet;

  private constructor(server: AttackedServer, databaseUrl: string, id: string, beside: Uint8Array | undefined) {
    this.#server = server;
    this.#databaseUrl = databaseUrl;
    this.#request = requestOf('GET', `${leadPath}/${id}`, { key: quietKey });
    this.#clients = [this.#request, ...(beside ? [beside] : [])].map((bytes) => new QuietClient(server, bytes));
  }

  /** Starts a server over a database as an attack begins with, and sees what the quiet client waits for alone. */
  static async start(databases: Databases, { contents = 'leads', beside }: Attack): Promise<Trial> {
    const database = await databases.with(contents);
    const server = await AttackedServer.start(database.url);
    const trial = new Trial(server, database.url, await create(server.port, leadPath, leadOf(0)), beside);
    await wait(warmUp);
    await QuietClient.take(trial.#clients);
    await wait(alone);
    trial.#before = await QuietClient.take(trial.#clients);
    return trial;
  }

  async attack(
    attack: Attack,
    { seed, time, watch = watched, slack = 1, duration = 0 }: AttackOptions,
  ): Promise<Outcome> {
    const server = this.#server;
    const begin = performance.now();
    const random = new Random(seed);
    const statuses = new Map<number, number>();
    const violations = new Set<string>();
    let rounds = 0;
    await QuietClient.take(this.#clients);
    do {
      using target = new Target(server, this.#databaseUrl, random, time);
      await attack.run(target);
      rounds += 1;
      for (const [status, count] of target.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
      for (const violation of target.violations) violations.add(violation);
    } while (performance.now() - begin < duration && violations.size === 0 && server.end === undefined);
    const took = performance.now() - begin;
    await wait(Math.max(200, watch - took));
    const before = this.#before;
    const under = await QuietClient.take(this.#clients);

    const allowed = {
      p99: Math.max(slack * bounds.p99, noiseFactor * before.own.p99),
      longest: Math.max(slack * bounds.longest, noiseFactor * before.own.longest),
    };
    if (server.end !== undefined) violations.add(`the server ended: ${server.end}`);
    else if (!(await answersAnew(server, this.#request))) violations.add(`no new client is answered in ${recovery} ms`);
    if (under.own.p99 > allowed.p99) violations.add(latencyViolations.p99);
    if (under.own.longest > allowed.longest) violations.add(latencyViolations.longest);
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

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) client[Symbol.dispose]();
    await this.#server[Symbol.asyncDispose]();
  }
}

/** Whether the server serves a new connection. */
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
