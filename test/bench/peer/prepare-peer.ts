import type { Database, Engine } from '../databases/database.ts';
import { madeOrKept } from '../prepare.ts';
import { columns, quote } from './columns.ts';

/** The peer's SQLite database, with the leads of another one, in which nobody writes now. */
export function preparePeer(engine: Engine, rows: number, keep: boolean, source: Database): Promise<Database> {
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
