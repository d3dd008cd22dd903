import { randomUUID } from 'node:crypto';
import type { Database } from '../migrations/driver.ts';
import { leases, literal, quote } from '../sql/schema.ts';
import { leaseDuration, leaseRenewal } from './limits.ts';
import { timeOf } from './queue.ts';

const table = quote(leases);
const name = literal('webhooks');

/** The right to send, which one process has at a time. It ends if it is not renewed. */
export class Lease {
  readonly #holder = literal(randomUUID());
  #renewedAt = -Infinity;

  /** Whether no other process can have it: also while the database does not respond. */
  get isHeld(): boolean {
    return performance.now() < this.#renewedAt + leaseDuration;
  }

  /** Takes or renews it, if that is necessary. @returns whether it is held */
  async hold(database: Database): Promise<boolean> {
    const start = performance.now();
    if (start < this.#renewedAt + leaseRenewal) return true;
    const now = await timeOf(database);
    const held = `select 1 from ${table} where "name" = ${name} and "holder" <> ${this.#holder} and "until" > ${now}`;
    if ((await database.query(held)).length > 0) {
      this.#renewedAt = -Infinity;
      return false;
    }
    const rows = await database.query(
      `insert into ${table} values (${name}, ${this.#holder}, ${now + leaseDuration}) on conflict ("name") do update ` +
        `set "holder" = excluded."holder", "until" = excluded."until" ` +
        `where ${table}."holder" = excluded."holder" or ${table}."until" <= ${now} returning 1`,
    );
    this.#renewedAt = rows.length > 0 ? start : -Infinity;
    return this.isHeld;
  }

  /** Another process need not wait for its end. */
  async release(database: Database): Promise<void> {
    this.#renewedAt = -Infinity;
    await database.query(`delete from ${table} where "name" = ${name} and "holder" = ${this.#holder}`);
  }
}
