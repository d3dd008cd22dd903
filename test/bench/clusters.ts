// Measures stores side by side on several databases: `node test/bench/clusters.ts NAME=URL…`. A URL names a PostgreSQL server, or
// a database of a Citus coordinator that knows its nodes; there is a store for each node. The databases are made, and dropped.
// CPU is that of all processes of a node, on this machine. `ROUNDS` and `REQUESTS` (of a round) are counts; before the first, each
// connection makes its plans: Citus keeps one for each statement and shard.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import * as generated from '../service/generated/tables.ts';
import { openPostgres } from '../support/main-store.ts';
import { newId } from '../../runtime/kernel/model/ids.ts';
import { withPostgres } from '../../runtime/migrations/postgres.ts';
import { migrateSchema } from '../../runtime/migrations/driver.ts';
import type { Value } from '../../runtime/kernel/model/fields.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import type { Records, Store } from '../../runtime/kernel/records/store.ts';
import type { Listing } from '../../runtime/kernel/records/page.ts';
import type { WriteOf, WriteResult } from '../../runtime/kernel/records/write.ts';
import { createCitus } from '../support/citus.ts';
import { connectTo } from './databases/postgres.ts';
import { changeOf, leadOf } from './leads.ts';
import { median } from './measure.ts';
import { cpuOf } from './processes.ts';
import { features } from '../../runtime/features.ts';

const organizations = 1_000;
const leads = 100; // of each organization
const clients = 32;
const rounds = Number(process.env['ROUNDS'] ?? 3);
const requests = Number(process.env['REQUESTS'] ?? 2_000);
const plansMade = 5_000; // requests
const only = process.env['ONLY']?.split(',');

const tables = Object.values<Table>(generated);
const table = generated.leadTable;
const random = (below: number): number => Math.floor(Math.random() * below);
const idOf = (organization: number, n: number): string =>
  `lead_${String(organization).padStart(13, '0')}${String(n).padStart(13, '0')}`;

/** One request of a client; throws unless it was done. */
type Operation = (records: Records, organization: number) => Promise<void>;

async function read(listing: Listing | undefined): Promise<void> {
  if (!listing || listing.total < leads) throw new Error('The page is wrong.');
  if (typeof listing.items !== 'string') throw new Error('The page is long.');
}

/** A create of a lead. */
function newLead(): WriteOf<'insert'> {
  const { id, time } = newId(table.name);
  const body: Record<string, Value> = { ...leadOf(random(100_000)), id, created_at: time, updated_at: time };
  return {
    op: 'insert',
    table: table.name,
    values: table.columns.map((column) => body[column.name] ?? column.default),
  };
}

const newLeads = (count: number): WriteOf<'insert'>[] => Array.from({ length: count }, newLead);

async function done(writing: Promise<WriteResult>, expected = 'written'): Promise<void> {
  const { outcome } = await writing;
  if (outcome !== expected) throw new Error(`A write was answered ${outcome}.`);
}

const operations: Readonly<Record<string, Operation>> = {
  get: async (records, organization) => {
    if (!(await records.get(table.name, idOf(organization, random(leads))))) throw new Error('The lead is missing.');
  },
  'first page': async (records) => read(await records.list(table.name, { limit: 20, offset: 0 })),
  after: async (records, organization) => {
    const after = idOf(organization, 40 + random(leads - 40));
    return read(await records.list(table.name, { limit: 20, offset: 0, after }));
  },
  'filtered page': async (records) => {
    const filter = [{ column: 'status', operator: 'eq', values: ['Open'] }] as const;
    const listing = await records.list(table.name, { limit: 20, offset: 0, filter });
    if (listing?.total === undefined || listing.total < leads / 10) throw new Error('The page is wrong.');
  },
  create: (records) => done(records.write(newLead())),
  'batch of 10': (records) =>
    done(records.write({ op: 'batch', table: table.name, writes: newLeads(10), isTrial: false }), 'done'),
  patch: (records, organization) => {
    const id = idOf(organization, random(leads));
    const set = changeOf(random(1_000), random(2) as 0 | 1);
    return done(
      records.write({ op: 'update', table: table.name, id, set, expected: {}, time: new Date().toISOString() }),
    );
  },
};

/** A database that is measured: one store for each of its nodes. */
interface Subject extends AsyncDisposable {
  readonly name: string;
  readonly stores: readonly Store[];
  /** The process of each node that has started the others. */
  readonly postmasters: readonly number[];
}

const resources = new AsyncDisposableStack();

async function prepare(name: string, url: string): Promise<Subject> {
  const disposal = resources.use(new AsyncDisposableStack());
  const admin = await connectTo(url);
  disposal.defer(() => admin.end());
  const isCitus = (await admin.query(`select 1 from pg_extension where extname = 'citus'`)).rowCount === 1;
  let urls: readonly string[];
  if (isCitus) {
    const database = disposal.use(await createCitus(url, 32));
    await database.migrate(tables);
    urls = database.urls;
  } else {
    const database = `bench_${process.pid}_${randomBytes(4).toString('hex')}`;
    await admin.query(`create database ${database}`);
    disposal.defer(async () => void (await admin.query(`drop database ${database} with (force)`)));
    const own = new URL(url);
    own.pathname = `/${database}`;
    urls = [own.href];
    await withPostgres(own.href, 'bench', (connection) =>
      migrateSchema(features.list, connection, tables, { incompatible: true }).then(),
    );
  }
  await fill(urls[0] as string);
  const stores: Store[] = [];
  for (const one of urls) {
    const store = await openPostgres(one, tables, true);
    disposal.defer(() => store.close());
    stores.push(store);
    // A store learns in the background which node has an organization.
    for (let n = 1; n <= organizations; n++) await store.of(n).get(table.name, idOf(n, 0));
  }
  const postmasters = await Promise.all(urls.map(postmasterOf));
  return { name, stores, postmasters, [Symbol.asyncDispose]: () => disposal.disposeAsync() };
}

async function fill(url: string): Promise<void> {
  const client = await connectTo(url);
  await client.query(
    `insert into "_organization" select n, 'organization ' || n, null from generate_series(2, ${organizations}) n`,
  );
  const names = ['_organization', ...table.columns.map(({ name }) => name)].map((name) => `"${name}"`).join(', ');
  const time = new Date(0).toISOString();
  for (let first = 1; first <= organizations; first += 10) {
    const rows = Array.from({ length: 10 * leads }, (_, n) => {
      const organization = first + Math.floor(n / leads);
      const id = idOf(organization, n % leads);
      return { ...leadOf(n), _organization: organization, id, created_at: time, updated_at: time };
    });
    const source = 'json_populate_recordset(null::lead, $1::json)';
    await client.query(`insert into "lead" (${names}) select ${names} from ${source}`, [JSON.stringify(rows)]);
  }
  await client.query(`delete from "_row_counter" where "table" = 'lead'`);
  const counters = `select n, 'lead', '', 0, ${leads} from generate_series(1, ${organizations}) n`;
  await client.query(`insert into "_row_counter" ${counters}`);
  for (const name of ['lead', '_row_counter']) await client.query(`analyze "${name}"`);
  await client.end();
}

const stat = (pid: number | string): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

async function postmasterOf(url: string): Promise<number> {
  const client = await connectTo(url);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const parent = Number(stat(rows[0]?.pid ?? 0)[1]);
  await client.end();
  return parent;
}

/** Microseconds of all processes of a node, also of those that have ended. */
function cpuOfNode(postmaster: number): number {
  const [user = 0, system = 0] = stat(postmaster).slice(13, 15).map(Number);
  let sum = cpuOf(postmaster) + (user + system) * 10_000;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (Number(stat(pid)[1]) === postmaster) sum += cpuOf(Number(pid));
    } catch {
      // It has ended.
    }
  }
  return sum;
}

interface Measured {
  readonly rate: number;
  /** Microseconds of each request. */
  readonly server: number;
  readonly nodes: readonly number[];
}

async function load({ stores }: Subject, operation: Operation, count: number): Promise<void> {
  let left = count;
  const client = async (_: unknown, place: number): Promise<void> => {
    const store = stores[place % stores.length] as Store;
    while (left-- > 0) {
      const organization = 1 + random(organizations);
      await operation(store.of(organization), organization);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

async function measure(subject: Subject, operation: Operation): Promise<Measured> {
  const before = subject.postmasters.map(cpuOfNode);
  const own = process.cpuUsage();
  const begin = performance.now();
  await load(subject, operation, requests);
  const seconds = (performance.now() - begin) / 1_000;
  const { user, system } = process.cpuUsage(own);
  const nodes = subject.postmasters.map((postmaster, n) => (cpuOfNode(postmaster) - (before[n] ?? 0)) / requests);
  return { rate: requests / seconds, server: (user + system) / requests, nodes };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

try {
  const subjects: Subject[] = [];
  for (const argument of process.argv.slice(2)) {
    const [name = '', url = ''] = argument.split(/=(.*)/s);
    subjects.push(await prepare(name, url));
  }
  for (const [title, operation] of Object.entries(operations)) {
    if (only && !only.includes(title)) continue;
    for (const subject of subjects) await load(subject, operation, plansMade);
    const found = subjects.map((): Measured[] => []);
    for (let round = 0; round < rounds; round++) {
      for (const [n, subject] of subjects.entries()) found[n]?.push(await measure(subject, operation));
    }
    const databases = found.map((all) => median(all.map(({ nodes }) => sum(nodes))));
    for (const [n, { name, postmasters }] of subjects.entries()) {
      const all = found[n] ?? [];
      const nodes = postmasters.map((_, node) => median(all.map((one) => one.nodes[node] ?? 0)).toFixed(0));
      console.log(
        `${title.padEnd(11)} ${name.padEnd(10)} ${median(all.map(({ rate }) => rate))
          .toFixed(0)
          .padStart(6)}/s, ` +
          `server ${median(all.map(({ server }) => server)).toFixed(0)} µs, database ${databases[n]?.toFixed(0)} µs ` +
          `(${nodes.join(' + ')}), ${((databases[n] ?? 0) / (databases[0] ?? 1)).toFixed(2)} times the first`,
      );
    }
  }
} finally {
  await resources.disposeAsync();
}
