import { basename } from 'node:path';

import { Child } from '../child.ts';
import type { Database, Engine } from '../databases/database.ts';
import type { Options } from '../options.ts';
import { madeOrKept } from '../prepare.ts';
import type { Size } from '../sizes.ts';
import { apiKey } from '../traffic.ts';
import { columns, quote } from './columns.ts';

/** Starts the hand-written peer over a database of its own with the leads of this size. */
export async function startPeer(engine: Engine, size: Size, { keep, peerJson }: Options): Promise<Child> {
  const database = await preparePeer(engine, `peer-${size.rows}`, keep !== undefined, size.database);
  return start(database, peerJson);
}

/** Starts it over leads that are found by indexes, as a careful engineer makes them by hand. */
export async function startFindingPeer(engine: Engine, source: Database, { keep, peerJson }: Options): Promise<Child> {
  const name = `peer-${basename(source.url, '.db')}`;
  return start(await preparePeer(engine, name, keep !== undefined, source, findingIndexes), peerJson);
}

const searched = 'lead_name, company_name, email_id, first_name, last_name';
const findingIndexes = [
  'create index by_status on lead (status, id)',
  'create index by_owner on lead (lead_owner, id)',
  'create index by_revenue on lead (annual_revenue, id desc)',
  `create virtual table lead_words using fts5 (${searched}, content = 'lead', detail = none, tokenize = 'unicode61')`,
  "insert into lead_words (lead_words) values ('rebuild')",
];

const start = ({ url }: Database, peerJson: boolean): Promise<Child> => {
  const env = { NODE_ENV: 'production', DATABASE_URL: url, API_KEYS: apiKey, ...(peerJson ? { PEER_JSON: '1' } : {}) };
  return Child.start('test/bench/peer/server.ts', { env, observed: true });
};

/** The peer's SQLite database, with the leads of another one, which must be idle. */
function preparePeer(
  engine: Engine,
  name: string,
  keep: boolean,
  source: Database,
  more: readonly string[] = [],
): Promise<Database> {
  const names = columns.map((column) => quote(column.name)).join(', ');
  const definitions = columns.map(
    (column) => `${quote(column.name)} ${column.type}${column.name === 'id' ? ' not null primary key' : ''}`,
  );
  return madeOrKept(engine, name, keep, (database) =>
    database.fill(async (session) => {
      await session.run('attach ? as source', source.url.slice('sqlite:'.length));
      await session.run(`create table lead (${definitions.join(', ')})`);
      await session.run(`insert into lead (${names}) select ${names} from source.lead order by id`);
      await session.run('create table counter (name text not null primary key, count bigint not null)');
      await session.run("insert into counter select 'lead', count(*) from lead");
      for (const statement of more) await session.run(statement);
    }),
  );
}
