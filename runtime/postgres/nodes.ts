import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkInterval } from '../model/limits.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import { inTime } from '../model/wait.ts';
import { BoundedMap } from '../records/bounded-map.ts';
import { maxWaiting } from '../records/limits.ts';
import { rowCounters } from '../sql/helper-tables.ts';
import type { Statement } from '../sql/types.ts';
import { type ConnectionOptions, isLoopback, optionsOfNode } from './connection-options.ts';
import type { Row } from './connection.ts';
import { sqlState } from './failure.ts';
import { lockTimeout, nextNodeDelay } from './limits.ts';
import { ConnectionPool, type PoolKind } from './pool.ts';

/** The connections to one server, by the kind of their work. */
export type Pools = Readonly<Record<PoolKind, ConnectionPool>>;

/** A node of a Citus cluster other than `home`. */
interface OtherNode {
  /** Undefined if it has no name by which it is found from here. */
  readonly direct: Pools | undefined;
  /** To `home`, which passes requests on while the node cannot be reached from here. They may all wait for it: so they take no others' connections. */
  readonly through: Pools;
}

/** The databases of other products with the protocol have no such catalog. */
const findCitus: Statement = { text: `select 1 from pg_catalog.pg_extension where extname = 'citus'`, values: [] };

const findHomeGroup: Statement = { text: 'select groupid from pg_dist_local_group', values: [] };

/** The nodes of organizations: of each its group, host and port. */
const findNodes =
  `select _one, _node.groupid, _node.nodename, _node.nodeport from unnest($1::bigint[]) as _one ` +
  `cross join lateral get_shard_id_for_distribution_column('${rowCounters}', _one) as _shard ` +
  `join pg_dist_placement as _placement on _placement.shardid = _shard ` +
  `join pg_dist_node as _node on _node.groupid = _placement.groupid and _node.noderole = 'primary'`;

/**
 * The servers of a database: one, or the nodes of a Citus cluster. Each node answers for all organizations, at several times the
 * cost for those whose rows are on another one: a request is sent to the node that has them. The place of an organization is asked when it is
 * first used and then every few seconds, in the background. A stale entry is slow, and never wrong.
 */
export class Nodes {
  /** The server of `DATABASE_URL`. */
  readonly home: Pools;
  readonly #options: ConnectionOptions;
  readonly #maxDuration: number;
  readonly #query: (pools: Pools, statement: Statement) => Promise<Row[]>;
  /** The other nodes, by their addresses. */
  readonly #others = new Map<string, OtherNode>();
  /** The addresses of the nodes of organizations; empty for `home`. */
  readonly #addresses = new BoundedMap<number, string>(maxWaiting);
  /** The organizations that were used since the last question. */
  #used = new Set<number>();
  /** A question that is not asked yet. */
  #question: Promise<void> | undefined;
  #lastQuestion: Promise<void> | undefined;
  /** Undefined until it is known. */
  #isCitus: boolean | undefined;
  #homeGroup: string | null | undefined;
  /** When to ask again. */
  #nextAt = -Infinity;
  /** The node that has last told what each of them knows. */
  #informant: Pools;

  constructor(
    options: ConnectionOptions,
    maxDuration: number,
    query: (pools: Pools, statement: Statement) => Promise<Row[]>,
  ) {
    this.#options = options;
    this.#maxDuration = maxDuration;
    this.#query = query;
    this.home = this.#open(options);
    this.#informant = this.home;
  }

  get all(): readonly Pools[] {
    return [this.home, ...[...this.#others.values()].flatMap(({ direct, through }) => [direct ?? [], through].flat())];
  }

  get pools(): readonly ConnectionPool[] {
    return this.all.flatMap((pools) => Object.values<ConnectionPool>(pools));
  }

  /** The connections to the node of an organization; to `home` for what belongs to none. */
  of(organization: number | undefined): MaybePromise<Pools> {
    if (organization === undefined || this.#isCitus === false) return this.home;
    this.#used.add(organization);
    if (!this.#addresses.has(organization)) return this.#find().then(() => this.#poolsOf(organization));
    if (performance.now() >= this.#nextAt) void this.#find();
    return this.#poolsOf(organization);
  }

  /**
   * Asks what each node knows, as keys are copied to all of them: the one that answered last, and the others too if it fails or takes long.
   *
   * @throws the error of that node if no other one answers
   */
  async ask(statement: Statement): Promise<Row[]> {
    const asked = this.#informant;
    const first = this.#query(asked, statement);
    const others = this.#answering().filter((pools) => pools !== asked);
    if (others.length === 0) return first;
    const rows = await inTime(
      first.catch(() => undefined),
      nextNodeDelay,
    );
    if (rows) return rows;
    const askOther = async (pools: Pools): Promise<Row[]> => {
      const answer = await this.#query(pools, statement);
      this.#informant = pools;
      return answer;
    };
    return Promise.any([first, ...others.map(askOther)]).catch(() => first);
  }

  /** Finishes the work in flight and closes all connections. */
  async close(): Promise<void> {
    await inTime(this.#lastQuestion);
    // Requests that have waited for the answer are in a pool then.
    await nextTurn();
    await Promise.all(this.pools.map((pool) => pool.close()));
  }

  #open(options: ConnectionOptions): Pools {
    const open = (kind: PoolKind): ConnectionPool => new ConnectionPool(options, kind, this.#maxDuration);
    return { quick: open('quick'), slow: open('slow'), writes: open('writes') };
  }

  /** The pools that may answer. */
  #answering(): Pools[] {
    return [this.home, ...[...this.#others.values()].flatMap(({ direct }) => (direct?.quick.size ? direct : []))];
  }

  #poolsOf(organization: number): Pools {
    const node = this.#others.get(this.#addresses.get(organization) ?? '');
    if (!node) return this.home;
    return node.direct?.quick.size ? node.direct : node.through;
  }

  /** Finds the nodes of the organizations that were used, by one question for all requests of a turn of the event loop. */
  #find(): Promise<void> {
    this.#nextAt = Infinity;
    this.#lastQuestion = this.#question ??= nextTurn().then(() => {
      this.#question = undefined;
      return this.#findNow();
    });
    return this.#lastQuestion;
  }

  async #findNow(): Promise<void> {
    const used = [...this.#used];
    this.#used = new Set();
    try {
      this.#isCitus ??= (await this.#query(this.home, findCitus)).length > 0;
      if (!this.#isCitus) return;
      this.#homeGroup ??= (await this.#query(this.home, findHomeGroup))[0]?.[0];
      const rows = await this.ask({ text: findNodes, values: [used] });
      await inTime(Promise.all(rows.map((row) => this.#note(row))));
      this.#nextAt = performance.now() + lockTimeout;
    } catch (error) {
      // It has no such catalog.
      if (sqlState(error) !== undefined) this.#isCitus ??= false;
      this.#nextAt = performance.now() + checkInterval;
    } finally {
      // Without an answer, `home` is asked until the next question: no request waits for each.
      for (const one of used) if (!this.#addresses.has(one)) this.#addresses.set(one, '');
    }
  }

  /** Notes where an organization is. @returns resolves when a node that was not known is connected, or cannot be */
  #note([organization, group, host, port]: Row): Promise<void> | undefined {
    const address = group === this.#homeGroup ? '' : `${host}:${port}`;
    this.#addresses.set(Number(organization), address);
    if (address === '') return undefined;
    const isNew = !this.#others.has(address);
    const { direct } = this.#others.getOrInsertComputed(address, () => this.#nodeAt(String(host), Number(port)));
    const opening = direct?.quick.open();
    return isNew ? opening : undefined;
  }

  #nodeAt(host: string, port: number): OtherNode {
    // A node that was set up without the name of its host cannot be found from here.
    const isHidden = isLoopback(host) && !isLoopback(this.#options.candidates[0]?.host ?? '');
    return {
      direct: isHidden ? undefined : this.#open(optionsOfNode(this.#options, host, port)),
      through: this.#open(this.#options),
    };
  }
}
