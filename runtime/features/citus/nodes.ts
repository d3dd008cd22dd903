import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkInterval } from '../../kernel/model/limits.ts';
import { inTime } from '../../kernel/model/wait.ts';
import { BoundedMap } from '../../kernel/records/bounded-map.ts';
import { maxWaiting } from '../../kernel/records/limits.ts';
import { rowCounters } from '../../kernel/sql/schema.ts';
import type { Statement } from '../../kernel/sql/types.ts';
import { isLoopback, optionsOfNode } from '../../engines/postgres/connection-options.ts';
import type { Row } from '../../engines/postgres/connection.ts';
import { sqlState } from '../../engines/postgres/failure.ts';
import { lockTimeout } from '../../engines/postgres/limits.ts';
import type { Home, OtherServers, Pools } from '../../engines/postgres/servers.ts';

/** Milliseconds without an answer after which what each node knows is asked of the others: several times in a check of a key. */
const nextNodeDelay = checkInterval / 4;

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
export class Nodes implements OtherServers {
  readonly #home: Home;
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

  constructor(home: Home) {
    this.#home = home;
    this.#informant = home.pools;
  }

  get pools(): readonly Pools[] {
    return [...this.#others.values()].flatMap(({ direct, through }) => [direct ?? [], through].flat());
  }

  poolsOf(organization: number): Pools | undefined | Promise<Pools | undefined> {
    if (this.#isCitus === false) return undefined;
    this.#used.add(organization);
    if (!this.#addresses.has(organization)) return this.#find().then(() => this.#poolsAt(organization));
    if (performance.now() >= this.#nextAt) void this.#find();
    return this.#poolsAt(organization);
  }

  /**
   * Asks what each node knows, as keys are copied to all of them: the one that answered last, and the others too if it fails or takes long.
   *
   * @throws the error of that node if no other one answers
   */
  async ask(statement: Statement): Promise<Row[]> {
    const asked = this.#informant;
    const first = this.#home.ask(statement, 'quick', asked);
    const others = this.#answering().filter((pools) => pools !== asked);
    if (others.length === 0) return first;
    const rows = await inTime(
      first.catch(() => undefined),
      nextNodeDelay,
    );
    if (rows) return rows;
    const askOther = async (pools: Pools): Promise<Row[]> => {
      const answer = await this.#home.ask(statement, 'quick', pools);
      this.#informant = pools;
      return answer;
    };
    return Promise.any([first, ...others.map(askOther)]).catch(() => first);
  }

  async close(): Promise<void> {
    await inTime(this.#lastQuestion);
    // Requests that have waited for the answer are in a pool then.
    await nextTurn();
  }

  /** The pools that may answer. */
  #answering(): Pools[] {
    return [
      this.#home.pools,
      ...[...this.#others.values()].flatMap(({ direct }) => (direct?.quick.size ? direct : [])),
    ];
  }

  #poolsAt(organization: number): Pools | undefined {
    const node = this.#others.get(this.#addresses.get(organization) ?? '');
    return node?.direct?.quick.size ? node.direct : node?.through;
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
      this.#isCitus ??= (await this.#home.ask(findCitus)).length > 0;
      if (!this.#isCitus) return;
      this.#homeGroup ??= (await this.#home.ask(findHomeGroup))[0]?.[0];
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
    const { options } = this.#home;
    // A node that was set up without the name of its host cannot be found from here.
    const isHidden = isLoopback(host) && !isLoopback(options.candidates[0]?.host ?? '');
    return {
      direct: isHidden ? undefined : this.#home.open(optionsOfNode(options, host, port)),
      through: this.#home.open(options),
    };
  }
}
