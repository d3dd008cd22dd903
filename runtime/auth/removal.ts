import { setTimeout as pause } from 'node:timers/promises';
import { CliError } from '../model/errors.ts';
import { type Database, transact } from '../migrations/driver.ts';
import {
  apiKeys,
  isHelperTable,
  keysChanged,
  literal,
  mainOrganization,
  organizationColumn,
  organizations,
  quote,
  rowCounters,
} from '../sql/schema.ts';
import { changeOrganizations, findOrganization, type Organization } from './organizations.ts';

/**
 * Milliseconds after which no server writes for an organization any more whose keys are gone: a server notices that within a
 * second, also when a body ends that it has begun to read, and then works on the request for 15.5 seconds at most.
 */
export const settleTime = 20_000;

/** Rows that a transaction removes: the most, and the first one, as rows may be large. */
const maxSlice = 1_000;
const firstSlice = 100;

/** Milliseconds that a transaction should take: on SQLite, the writes of servers wait for it. */
const sliceDuration = 25;

/** A table with rows of organizations. */
interface OwnedTable {
  readonly name: string;
  /** The columns of its key that follow the organization. */
  readonly key: readonly string[];
}

/** The number of rows that each table has of an organization, for tables that have any. */
export type RemovedRows = ReadonlyMap<string, number>;

/** @returns the rows that a deletion would remove. @throws CliError for `main` and unknown names */
export async function countOwnedRows(database: Database, name: string): Promise<RemovedRows> {
  const { id } = await deletable(database, name);
  const counts = new Map<string, number>();
  for (const table of await ownedTables(database)) {
    const [[count] = []] = await database.query(`select count(*) from ${quote(table.name)} where ${belongsTo(id)}`);
    if (Number(count) > 0) counts.set(table.name, Number(count));
  }
  return counts;
}

/**
 * Deletes an organization with all that belongs to it, in slices that hold up no request. It can be interrupted at any time and
 * run again. The name is free afterwards; the id is never used again.
 *
 * @param settle milliseconds to wait before the last look, for what servers were writing when its keys were removed
 * @param onWait called before that
 * @returns the rows that were removed. @throws CliError for `main` and unknown names
 */
export async function deleteOrganization(
  database: Database,
  name: string,
  settle = settleTime,
  onWait: () => void = () => {},
): Promise<RemovedRows> {
  const id = await changeOrganizations(database, async () => {
    const found = await deletable(database, name);
    const now = literal(new Date().toISOString());
    // No start gives it singletons from now on.
    if (found.deletedAt === null) await change(database, found.id, `"deleted_at" = ${now}`);
    return found.id;
  });
  const counts = new Map<string, number>();
  await removeAll(database, id, counts);
  onWait();
  await pause(settle);
  await removeAll(database, id, counts);
  await changeOrganizations(database, () => change(database, id, '"name" = null'));
  return counts;
}

async function deletable(database: Database, name: string): Promise<Organization> {
  const found = await findOrganization(database, name);
  if (found.id !== mainOrganization) return found;
  throw new CliError(`The organization ${name} cannot be deleted: it is that of API_KEYS.`);
}

const belongsTo = (organization: number): string => `${quote(organizationColumn)} = ${organization}`;

const change = (database: Database, organization: number, assignment: string): Promise<unknown> =>
  database.query(`update ${quote(organizations)} set ${assignment} where "id" = ${organization}`);

/** Keys before the records that they give access to, and row counters after the rows that they count. */
async function ownedTables(database: Database): Promise<OwnedTable[]> {
  const { actual } = await database.readSchema();
  const rank = ({ name }: OwnedTable): number => (name === rowCounters ? 2 : isHelperTable(name) ? 0 : 1);
  return [...actual.tables]
    .filter(([, columns]) => columns.has(organizationColumn))
    .map(([name, columns]) => ({ name, key: columns.has('id') ? ['id'] : ['table', 'parent', 'shard'] }))
    .toSorted((one, other) => rank(one) - rank(other));
}

/** @param counts gets what was removed added */
async function removeAll(database: Database, organization: number, counts: Map<string, number>): Promise<void> {
  for (const table of await ownedTables(database)) {
    const removed = await removeRows(database, table, organization);
    if (removed > 0) counts.set(table.name, (counts.get(table.name) ?? 0) + removed);
  }
}

async function removeRows(database: Database, { name, key }: OwnedTable, organization: number): Promise<number> {
  const columns = key.map(quote).join(', ');
  const owned = `${quote(name)} where ${belongsTo(organization)}`;
  let rest = owned;
  let removed = 0;
  for (let size = firstSlice; ;) {
    const before = performance.now();
    const { rows, end } = await transact(database, async () => {
      const [last] = await database.query(
        `select ${columns} from ${rest} order by ${columns} limit 1 offset ${size - 1}`,
      );
      const slice = last ? `${rest} and (${columns}) <= (${literals(last)})` : rest;
      const deleted = await database.query(`delete from ${slice} returning 1`);
      if (name === apiKeys && deleted.length > 0) await database.query(keysChanged);
      return { rows: deleted, end: last };
    });
    removed += rows.length;
    if (!end) return removed;
    // Each slice begins where the last one has ended: PostgreSQL would read the deleted rows before it again.
    rest = `${owned} and (${columns}) > (${literals(end)})`;
    const duration = performance.now() - before;
    size = duration > sliceDuration ? Math.ceil(size / 2) : Math.min(maxSlice, size * 2);
    // SQLite has no queue for its lock: others, who try again and again, get it in between.
    await pause(Math.max(duration, 1));
  }
}

const literals = (key: readonly unknown[]): string => key.map((value) => literal(String(value))).join(', ');
