import { setTimeout as wait } from 'node:timers/promises';

import type { Random } from '../support/random.ts';
import { Wire, type WireOptions } from './wire.ts';

/** Milliseconds before a connection that has ended is replaced. */
const pause = 10;

/** How long an attack may wait for answers, in milliseconds. */
const patience = 90_000;

interface Address {
  readonly port: number;
  readonly pid: number;
}

/** The service as an attack sees it, and where it leaves what it has noticed. */
export class Target implements Disposable {
  readonly port: number;
  readonly pid: number;
  readonly databaseUrl: string;
  readonly random: Random;
  /** Faults of the service, besides those that the quiet client sees. */
  readonly violations = new Set<string>();
  /** How often each status was answered. */
  readonly statuses = new Map<number, number>();
  readonly #wires = new Set<Wire>();
  readonly #time: number;
  readonly #deadline: number;
  #end = 0;

  /** `time` is how long goes on what has no end of its own, in milliseconds. */
  constructor({ port, pid }: Address, databaseUrl: string, random: Random, time: number) {
    this.port = port;
    this.pid = pid;
    this.databaseUrl = databaseUrl;
    this.random = random;
    this.#time = time;
    this.#deadline = performance.now() + patience;
  }

  /** Opens a connection whose answers are counted. */
  connect(options: WireOptions = {}): Wire {
    const { onStatus } = options;
    const wire = new Wire(this.port, {
      ...options,
      onStatus: (status) => {
        this.answered(status);
        onStatus?.(status);
      },
    });
    this.#wires.add(wire);
    void wire.closed.then(() => this.#wires.delete(wire));
    return wire;
  }

  answered(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 500) this.violations.add('answered 500');
  }

  /** Sends bytes whose answer ends the connection. @returns the connection, when it has ended. */
  async exchange(bytes: string | Uint8Array, options: WireOptions = {}): Promise<Wire> {
    const wire = this.connect(options);
    await wire.send(bytes);
    await this.within(wire.closed);
    return wire;
  }

  /** Does the same so many times at once. */
  async times(count: number, work: (number: number) => Promise<unknown>): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, number) => work(number)));
  }

  /**
   * Keeps so many connections busy for a while: each sends its next request when the last has been answered, and is
   * replaced when it ends.
   */
  async flood(count: number, next: () => Uint8Array, options: WireOptions = {}): Promise<void> {
    await this.goOn(count, async () => {
      const wire = this.connect({ ...options, onStatus: () => !this.isOver && void wire.send(next()) });
      await wire.connected;
      await wire.send(next());
      await Promise.race([wire.closed, wait(Math.max(1, this.#end - performance.now()))]);
      wire.socket.destroy();
      await wait(pause);
    });
  }

  /** Has so many do the same again and again for a while. */
  async goOn(count: number, work: (number: number) => Promise<unknown>): Promise<void> {
    this.#end = performance.now() + this.#time;
    await this.times(count, async (number) => {
      while (!this.isOver) await work(number);
    });
  }

  /** Whether what goes on for a while is at its end. */
  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Does nothing for a while, so that what is held open is held. */
  hold(): Promise<void> {
    return wait(this.#time);
  }

  /** Waits for something, but not longer than the attack may take. */
  async within(event: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const out = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.violations.add('does not come to an end');
        resolve();
      }, this.#deadline - performance.now());
    });
    await Promise.race([event, out]).finally(() => clearTimeout(timer));
  }

  [Symbol.dispose](): void {
    for (const wire of this.#wires) wire.socket.resetAndDestroy();
  }
}
