import { checkInterval } from '../model/limits.ts';
import { BoundedMap } from '../records/bounded-map.ts';
import { maxWaiting } from '../records/limits.ts';
import { rowCounters } from '../sql/helper-tables.ts';
import type { Statement } from '../sql/query-dialect.ts';
import { type ConnectionOptions, isLoopback, optionsOfNode } from './connection-options.ts';
import type { Row } from './connection.ts';
import { sqlState } from './failure.ts';
import { lockTimeout } from './limits.ts';
import { ConnectionPool, type PoolKind } from './pool.ts';

/** The connections to one server, by the kind of their work. */
type Pools = Readonly<Record<PoolKind, ConnectionPool>>;

/** The databases of other products with the protocol have no such catalog. */
const findCitus: Statement = { text: `select 1 from pg_catalog.pg_extension where extname = 'citus'`, values: [] };

/** The nodes of organizations: of each its host and port, unless it is the one that is asked. */
const findNodes =
  `select _one, case when _node.groupid <> _own.groupid then _node.nodename end, _node.nodeport ` +
  `from unnest($1::bigint[]) as _one ` +
  `cross join lateral get_shard_id_for_distribution_column('${rowCounters}', _one) as _shard ` +
  `cross join pg_dist_local_group as _own join pg_dist_placement as _placement on _placement.shardid = _shard ` +
  `join pg_dist_node as _node on _node.groupid = _placement.groupid and _node.noderole = 'primary'`;

const openPools = (options: ConnectionOptions, maxDuration: number): Pools => ({
  quick: new ConnectionPool(options, 'quick', maxDuration),
  slow: new ConnectionPool(options, 'slow', maxDuration),
  writes: new ConnectionPool(options, 'writes', maxDuration),
});

/**
 * The servers of a database: one, or the nodes of a Citus cluster. Each node answers for all organizations, at several times the
 * cost for those whose rows are on another one: a request is sent to the node that has them. Which one that is is asked every few
 * seconds, in the background; until it is known, and while a node cannot be reached, `home` is asked. A stale entry is slow, and
 * never wrong.
 */
export class Nodes {
  /** The server of `DATABASE_URL`. */
  readonly home: Pools;
  readonly #options: ConnectionOptions;
  readonly #maxDuration: number;
  readonly #ask: (statement: Statement) => Promise<Row[]>;
  /** The other nodes, by their addresses. */
  readonly #others = new Map<string, Pools>();
  /** The addresses of the nodes of organizations; empty for `home`. */
  readonly #addresses = new BoundedMap<number, string>(maxWaiting);
  /** The organizations that were used since the last question. */
  #used = new Set<number>();
  /** Undefined until it is known. */
  #isCitus: boolean | undefined;
  /** When to ask again. */
  #nextAt = -Infinity;

  /** @param ask asks `home` */
  constructor(options: ConnectionOptions, maxDuration: number, ask: (statement: Statement) => Promise<Row[]>) {
    this.#options = options;
    this.#maxDuration = maxDuration;
    this.#ask = ask;
    this.home = openPools(options, maxDuration);
  }

  get all(): readonly Pools[] {
    return [this.home, ...this.#others.values()];
  }

  get pools(): readonly ConnectionPool[] {
    return this.all.flatMap((pools) => Object.values<ConnectionPool>(pools));
  }

  /** The connections to the node of an organization; to `home` for what belongs to none. */
  of(organization: number | undefined): Pools {
    if (organization === undefined || this.#isCitus === false) return this.home;
    this.#used.add(organization);
    if (performance.now() >= this.#nextAt) void this.#update();
    const node = this.#others.get(this.#addresses.get(organization) ?? '');
    return node && node.quick.size > 0 ? node : this.home;
  }

  async #update(): Promise<void> {
    const used = [...this.#used];
    this.#used = new Set();
    this.#nextAt = Infinity;
    try {
      this.#isCitus ??= (await this.#ask(findCitus)).length > 0;
      const rows = this.#isCitus ? await this.#ask({ text: findNodes, values: [used] }) : [];
      for (const [organization, host, port] of rows) this.#note(Number(organization), host, Number(port));
      this.#nextAt = performance.now() + lockTimeout;
    } catch (error) {
      // It has no such catalog.
      if (sqlState(error) !== undefined) this.#isCitus ??= false;
      this.#nextAt = performance.now() + checkInterval;
    }
  }

  /** @param host null if it is `home` */
  #note(organization: number, host: string | null | undefined, port: number): void {
    // A node that was set up without the name of its host cannot be found from here.
    const isHidden = isLoopback(host ?? '') && !isLoopback(this.#options.candidates[0]?.host ?? '');
    const address = !host || isHidden ? '' : `${host}:${port}`;
    this.#addresses.set(organization, address);
    if (!host || address === '') return;
    const node = this.#others.getOrInsertComputed(address, () =>
      openPools(optionsOfNode(this.#options, host, port), this.#maxDuration),
    );
    void node.quick.open();
  }
}
