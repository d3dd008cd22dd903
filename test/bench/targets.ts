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
  readonly table?: { readonly rows: number; readonly operation: Operation };
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

/** Each operation on all sizes in turn, so that what is compared is measured at nearly the same time. */
export function targetsOf(sizes: readonly Size[], { connections, only, seed }: Options): Target[] {
  const ofServers = sizes.map(({ rows, server, database }) =>
    operationsOn(rows, seed)
      .filter(({ key }) => only.has(key))
      .map((operation): Target => ({ connections, ...operation, server, database, table: { rows, operation } })),
  );
  return (ofServers[0] ?? []).flatMap((_, operation) => ofServers.map((targets) => targets[operation] as Target));
}
