import { randomUUID } from 'node:crypto';
import type { Database } from '../../migrations/types.ts';
import { literal, quote } from '../../kernel/sql/schema.ts';
import { leases } from './tables.ts';
import { checkInterval } from '../../kernel/model/limits.ts';
import { timeOf } from './queue.ts';

const table = quote(leases);

/** Milliseconds for which the sender has its lease. It is renewed four times as often. */
const leaseDuration = 7 * checkInterval;

/** The right to send, which one process has at a time. It ends if it is not renewed. */
export class Lease {
  readonly #holder = literal(randomUUID());
  #renewedAt = -Infinity;
  #triedAt = -Infinity;

  /** Whether no other process can have it: also while the database does not respond, or after this process was suspended. */
  get isHeld(): boolean {
    return performance.now() < this.#renewedAt + leaseDuration;
  }

  /** Takes or renews it, now and then. @returns whether it is held */
  async hold(database: Database): Promise<boolean> {
    const start = performance.now();
    if (start < this.#triedAt + leaseDuration / 4) return this.isHeld;
    this.#triedAt = start;
    const now = await timeOf(database);
    // No process has a lease for longer, unless the clock was set back.
    const isOver = `not ${table}."until" between ${now + 1} and ${now + 2 * leaseDuration}`;
    const rows = await database.query(
      `insert into ${table} values ('webhooks', ${this.#holder}, ${now + leaseDuration}) on conflict ("name") do update ` +
        `set "holder" = excluded."holder", "until" = excluded."until" ` +
        `where ${table}."holder" = excluded."holder" or ${isOver} returning 1`,
    );
    this.#renewedAt = rows.length > 0 ? start : -Infinity;
    return this.isHeld;
  }

  /** Another process need not wait for its end. */
  async release(database: Database): Promise<void> {
    this.#renewedAt = -Infinity;
    await database.query(`delete from ${table} where "name" = 'webhooks' and "holder" = ${this.#holder}`);
  }
}
