import { createKey } from '../../runtime/features/keys/administration.ts';
import { type NewKey, newKey } from '../../runtime/features/keys/format.ts';
import { administer } from '../organizations/administer.ts';
import { leadTable } from '../service/generated/tables.ts';
import type { Child } from './child.ts';
import type { Database, Engine, Session } from './databases/database.ts';
import { leadId, leadOf, leadPath } from './leads.ts';
import { Load, type Traffic } from './load.ts';
import { measure, type Measurement, median } from './measure.ts';
import type { Options } from './options.ts';
import { prepare } from './prepare.ts';
import { type Random, randomFrom } from './random.ts';
import { startServer, timeStarts } from './server.ts';
import { grouped, tableOf } from './table.ts';
import { requestOf } from './traffic.ts';

/** Starts that are timed. */
const starts = 5;

/** A database and the keys of its organizations: lead n is of the n-th one, and then from the first one on again. */
interface Variant {
  readonly database: Database;
  readonly keys: readonly string[];
}

/** Requests of random organizations. */
const operations: Readonly<Record<string, (keys: readonly string[], rows: number, random: Random) => Traffic>> = {
  get: (keys, rows, random) => ({
    next() {
      const number = random(rows);
      return requestOf('GET', `${leadPath}/${leadId(number)}`, undefined, keys[number % keys.length]);
    },
  }),
  'first page': (keys, _, random) => ({ next: () => requestOf('GET', leadPath, undefined, keys[random(keys.length)]) }),
  'page after': (keys, rows, random) => ({
    next() {
      const number = random(rows);
      return requestOf('GET', `${leadPath}?after=${leadId(number)}`, undefined, keys[number % keys.length]);
    },
  }),
  create: (keys, _, random) => ({
    next: () => requestOf('POST', leadPath, leadOf(random(1_000)), keys[random(keys.length)]),
  }),
};

/** Gives the leads of a database to so many organizations, in turn, each of which gets a key. */
async function divide(session: Session, keys: readonly NewKey[]): Promise<void> {
  const columns = leadTable.columns.map(({ name }) => `"${name}"`).join(', ');
  const members = keys.map(({ id, digest }, index) => ({
    organization: index + 2,
    name: `customer-${index}`,
    id,
    digest,
  }));
  const own = session.rowsOf({ organization: 'bigint', name: 'text', id: 'text', digest: 'text' });
  const parameter = JSON.stringify(members);
  await session.run(
    `insert into _organization (id, name) select organization, name from (select * from ${own}) as own`,
    parameter,
  );
  await session.run(
    `insert into _api_key (id, _organization, digest, name, scopes, rate, created_at)
     select id, organization, digest, name, '*', 'off', '2026-01-01T00:00:00.000Z' from (select * from ${own}) as own`,
    parameter,
  );
  await session.run(`create temporary table former as select * from lead`);
  await session.run(`delete from lead`);
  await session.run(
    `insert into lead (_organization, ${columns})
     select 2 + (row_number() over (order by id) - 1) % ${keys.length}, ${columns} from former order by id`,
  );
  await session.run(`update _row_counter set "count" = 0 where "table" = 'lead'`);
  await session.run(
    `insert into _row_counter select _organization, 'lead', '', 0, count(*) from lead group by _organization`,
  );
  await session.run('drop table former');
}

async function makeVariants(
  engine: Engine,
  rows: number,
  organizations: number,
): Promise<Record<'one' | 'many', Variant>> {
  const one = await prepare(engine, rows, false);
  const many = engine.database('organizations');
  await one.copyTo(many);
  const keys = Array.from({ length: organizations }, newKey);
  await many.fill((session) => divide(session, keys));
  await many.tidyUp();
  const options = { organization: 'main', name: 'bench', scopes: '*', rate: 'off', lifetime: null };
  const { key } = await administer(one, (connection) => createKey(connection, options));
  return { one: { database: one, keys: [key] }, many: { database: many, keys: keys.map((own) => own.key) } };
}

/** Measures many organizations against one with the same number of rows, in turn. @returns the report */
export async function measureOrganizations(
  engine: Engine,
  organizations: number,
  { rows: [rows = 0], connections, seconds, rounds, seed }: Options,
  progress: (text: string) => void,
): Promise<string> {
  progress(`${engine.name}: filling`);
  const variants = await makeVariants(engine, rows, organizations);
  const names = ['one', 'many'] as const;
  const servers = {} as Record<(typeof names)[number], Child>;
  const lines: string[][] = [['', 'one', `${grouped(organizations)} organizations`, 'ratio']];
  const line = (title: string, values: Record<(typeof names)[number], number>, digits: number): unknown =>
    lines.push([title, ...names.map((name) => grouped(values[name], digits)), (values.many / values.one).toFixed(2)]);

  const startTimes = { one: 0, many: 0 };
  for (const name of names) {
    const { url } = variants[name].database;
    progress(`${engine.name}: starts, ${name}`);
    // The first one makes the singletons of all organizations.
    const [first, later] = [await timeStarts(1, '/healthz', url), await timeStarts(starts, '/healthz', url)];
    if (name === 'many') lines.push(['first start, ms', '', grouped(first), '']);
    startTimes[name] = later;
  }
  line('start, ms', startTimes, 0);
  for (const name of names) {
    const { database, keys } = variants[name];
    servers[name] = await startServer(database.url, { observed: true });
    // Each key is looked up once: that is not what a request costs.
    const first = keys.map((key) => requestOf('GET', `${leadPath}?limit=1`, undefined, key)).values();
    await new Load(servers[name].port, { next: () => first.next().value }, connections).done;
  }

  for (const [operation, trafficOf] of Object.entries(operations)) {
    const measured: Record<(typeof names)[number], Measurement[]> = { one: [], many: [] };
    for (let round = 1; round <= rounds; round++) {
      progress(`${engine.name}: ${operation}, round ${round} of ${rounds}`);
      for (const name of round % 2 ? names : names.toReversed()) {
        const { database, keys } = variants[name];
        const traffic = trafficOf(keys, rows, randomFrom(seed + round));
        const target = { name: operation, server: servers[name], database, traffic, connections };
        measured[name].push(await measure(target, { seconds, warmUp: seconds }));
      }
    }
    for (const [what, key, digits] of [
      ['µs of the server', 'cpu', 0],
      ['µs of the database', 'databaseCpu', 0],
      ['ms p50', 'p50', 2],
    ] as const) {
      const of = (name: (typeof names)[number]): number => median(measured[name].map((one) => one[key]));
      if (!Number.isNaN(of('one'))) line(`${operation}, ${what}`, { one: of('one'), many: of('many') }, digits);
    }
  }
  const memory = { one: 0, many: 0 };
  for (const name of names) memory[name] = (await servers[name].usage()).memory / 1e6;
  line('memory afterwards, MB', memory, 0);
  for (const name of names) await servers[name].stop();
  return `${grouped(rows)} leads\n${tableOf(lines)}`;
}
