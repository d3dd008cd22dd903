import { Child } from '../child.ts';
import type { Database, Engine } from '../databases/database.ts';
import type { Options } from '../options.ts';
import { madeOrKept } from '../prepare.ts';
import type { Size } from '../sizes.ts';
import { apiKey } from '../traffic.ts';
import { columns, quote } from './columns.ts';

/** Starts the hand-written peer over a database of its own with the leads of this size. */
export async function startPeer(engine: Engine, size: Size, { keep, peerJson }: Options): Promise<Child> {
  const { url } = await preparePeer(engine, size.rows, keep !== undefined, size.database);
  const env = { NODE_ENV: 'production', DATABASE_URL: url, API_KEYS: apiKey, ...(peerJson ? { PEER_JSON: '1' } : {}) };
  return Child.start('test/bench/peer/server.ts', { env, observed: true });
}

/** The peer's SQLite database, with the leads of another one, in which nobody writes now. */
function preparePeer(engine: Engine, rows: number, keep: boolean, source: Database): Promise<Database> {
  const names = columns.map(({ name }) => quote(name)).join(', ');
  const definitions = columns.map(
    ({ name, type }) => `${quote(name)} ${type}${name === 'id' ? ' not null primary key' : ''}`,
  );
  return madeOrKept(engine, `peer-${rows}`, keep, (database) =>
    database.fill(async (session) => {
      await session.run('attach ? as source', source.url.slice('sqlite:'.length));
      await session.run(`create table lead (${definitions.join(', ')})`);
      await session.run(`insert into lead (${names}) select ${names} from source.lead order by id`);
      await session.run('create table counter (name text not null primary key, count bigint not null)');
      await session.run("insert into counter select 'lead', count(*) from lead");
    }),
  );
}
