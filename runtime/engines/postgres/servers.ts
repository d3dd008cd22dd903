import type { Features } from '../../kernel/feature.ts';
import type { StoreMetrics } from '../../kernel/records/store.ts';
import type { Statement } from '../../kernel/sql/types.ts';
import type { ConnectionOptions } from './connection-options.ts';
import type { Row } from './connection.ts';
import { ConnectionPool, type PoolKind, type ReadKind, type Work } from './pool.ts';

/** The connections to one server, by the kind of their work. */
export type Pools = Readonly<Record<PoolKind, ConnectionPool>>;

/** The server of `DATABASE_URL`, for features that know others beside it. */
export interface Home {
  readonly options: ConnectionOptions;
  /** The default application_name of connections. */
  readonly service: string | undefined;
  /** The values of all settings. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly pools: Pools;
  /** The pools of another server; they open connections on demand. */
  open(options: ConnectionOptions): Pools;
  /** Asks a server, without `pools` this one; again while it may succeed. @throws ApiError `unavailable` or `overloaded` */
  ask(statement: Statement, kind?: PoolKind, pools?: Pools): Promise<Row[]>;
}

/** Servers beside that of `DATABASE_URL`, and what is done there. */
export interface OtherServers {
  /** Their connections; those to a server that takes no writes have no pool for these. */
  readonly pools: readonly Partial<Pools>[];
  /** The connections to the server with the records of an organization; undefined if it is that of `DATABASE_URL`. */
  poolsOf?(organization: number): Pools | undefined | Promise<Pools | undefined>;
  /** Asks what each server knows, like the keys. */
  ask?(statement: Statement): Promise<Row[]>;
  /** The rows of a read; undefined if the server of `DATABASE_URL` has to be asked. They may lack what was written lately. */
  read?(kind: ReadKind, work: Work<Row[][]>): Promise<Row[][] | undefined>;
  /** Notes that a key has written, or may have: it must find what it has written. */
  noteWrite?(owner: object): void;
  metrics?(): Partial<StoreMetrics>;
  /** Waits for what uses the pools without a request. The pools are closed afterwards. */
  close?(): Promise<void>;
}

declare module '../../kernel/feature.ts' {
  interface Feature {
    /** Servers of a PostgreSQL database that the feature knows; undefined if there are none. */
    readonly postgres?: (home: Home) => Promise<OtherServers | undefined>;
  }
}

/** The servers of a database: that of `DATABASE_URL`, and those that features know. */
export class Servers {
  readonly #home: Pools;
  readonly #maxDuration: number;
  #otherServers: readonly OtherServers[] = [];
  /** The nodes that hold the records of organizations, and the standbys that answer reads. */
  nodes: OtherServers | undefined;
  replica: OtherServers | undefined;

  /** @param maxDuration see `ConnectionPool` */
  constructor(options: ConnectionOptions, maxDuration: number) {
    this.#maxDuration = maxDuration;
    this.#home = this.#poolsTo(options);
  }

  /** Opens a connection for reads, and one for writes: others may take all that the server has later. */
  async open({ list }: Features, home: Omit<Home, 'pools' | 'open'>): Promise<void> {
    const open = (options: ConnectionOptions): Pools => this.#poolsTo(options);
    const others = await Promise.all(list.map(({ postgres }) => postgres?.({ ...home, pools: this.#home, open })));
    this.#otherServers = others.filter((servers) => servers !== undefined);
    this.nodes = this.#otherServers.find(({ poolsOf }) => poolsOf);
    this.replica = this.#otherServers.find(({ read }) => read);
    await this.#home.quick.open();
    await this.#home.writes.open();
  }

  /** The connections to each server. */
  get pools(): readonly Partial<Pools>[] {
    return [this.#home, ...this.#otherServers.flatMap(({ pools }) => pools)];
  }

  /** The connections to the server of an organization; those of `DATABASE_URL` for what belongs to none. */
  of(organization: number | undefined): Pools | Promise<Pools> {
    const pools = organization === undefined ? undefined : this.nodes?.poolsOf?.(organization);
    return pools instanceof Promise ? pools.then((other) => other ?? this.#home) : (pools ?? this.#home);
  }

  metrics(): Partial<StoreMetrics> & Pick<StoreMetrics, 'queuedWrites'> {
    const open = this.pools.flatMap((pools) => Object.values(pools).map(({ size }) => size));
    return {
      queuedWrites: this.pools.reduce((sum, { writes }) => sum + (writes?.waiting ?? 0), 0),
      connections: open.reduce((sum, size) => sum + size, 0),
      ...Object.assign({}, ...this.#otherServers.map((servers) => servers.metrics?.())),
    };
  }

  /** Finishes the work in flight and closes all connections. */
  async close(): Promise<void> {
    await Promise.all(this.#otherServers.map((servers) => servers.close?.()));
    await Promise.all(this.pools.flatMap((pools) => Object.values(pools).map((pool) => pool.close())));
  }

  #poolsTo(options: ConnectionOptions): Pools {
    const open = (kind: PoolKind): ConnectionPool => new ConnectionPool(options, kind, this.#maxDuration);
    return { quick: open('quick'), slow: open('slow'), writes: open('writes') };
  }
}
