import type { Child } from './child.ts';
import type { Database } from './databases/database.ts';
import { type Operation, operationsOn } from './operations.ts';
import type { Options } from './options.ts';
import type { Size } from './sizes.ts';
import { getAlways } from './traffic.ts';

/** One line of the benchmark: a server and what is asked of it. */
export interface Target extends Pick<Operation, 'name' | 'traffic'> {
  readonly server: Child;
  readonly connections: number;
  /** The table to measure; undefined for a floor. */
  readonly table?: {
    readonly rows: number;
    readonly operation: Operation;
    /** Whether the server is the hand-written peer; ours, asked the same, is the target before it. */
    readonly isPeer: boolean;
  };
  /** The database server, if it runs in processes of its own. */
  readonly database?: Database;
}

/** A bare server, for comparison. */
export const floorOf = (name: string, server: Child, connections: number): Target => ({
  name: `floor: ${name}`,
  server,
  traffic: getAlways('/'),
  connections,
});

/**
 * Each operation on all sizes in turn, and on the peer after the largest, so that what is compared is measured at nearly
 * the same time.
 */
export function targetsOf(sizes: readonly Size[], peer: Child | undefined, options: Options): Target[] {
  const targetsFor = ({ rows, server, database }: Omit<Size, 'start'>, isPeer: boolean): Target[] =>
    operationsOn(rows, options.seed)
      .filter(({ key }) => options.only.has(key))
      .map((operation) => ({
        connections: options.connections,
        ...operation,
        server,
        database,
        table: { rows, operation, isPeer },
      }));
  const ofServers = sizes.map((size) => targetsFor(size, false));
  const largest = sizes.at(-1) as Size;
  if (peer) ofServers.push(targetsFor({ ...largest, server: peer }, true));
  return (ofServers[0] ?? []).flatMap((_, operation) =>
    ofServers
      .map((targets) => targets[operation] as Target)
      // The peer has no line items and no batches.
      .filter(({ table }) => !table?.isPeer || !['items', 'batch'].includes(table.operation.key)),
  );
}
