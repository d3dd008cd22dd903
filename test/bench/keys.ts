import { createKey } from '../../runtime/auth/administration.ts';
import { administer } from '../organizations/administer.ts';
import { compare } from './compare.ts';
import type { Engine } from './databases/database.ts';
import type { Options } from './options.ts';
import { prepare } from './prepare.ts';
import { randomFrom } from './random.ts';
import { startServer } from './server.ts';
import { grouped } from './table.ts';
import { apiKey, getLeads } from './traffic.ts';

/** Leads that are read: all of them come from the record cache, where what is added weighs most. */
const cached = 200;

/** A rate that no load reaches. */
const rate = '1000000000/s';

/** Measures the CPU time of a get with keys of the key table, against one of `API_KEYS`. @returns the report */
export async function measureKeys(engine: Engine, options: Options, progress: (text: string) => void): Promise<string> {
  const { rows, seed } = options;
  const database = await prepare(engine, rows[0] as number, false);
  const keyWith = (scopes: string, ownRate: string): Promise<string> =>
    administer(database, (connection) =>
      createKey(connection, { organization: 'main', name: 'bench', scopes, rate: ownRate, lifetime: null }),
    ).then(({ key }) => key);
  const keys: Readonly<Record<string, string>> = {
    API_KEYS: apiKey,
    'key table': await keyWith('*', 'off'),
    'scope of the resource': await keyWith('crm/lead:read', 'off'),
    'and a rate': await keyWith('crm/lead:read', rate),
  };
  const server = await startServer(database.url, { observed: true });
  const variants = Object.entries(keys).map(([name, key]) => ({
    name,
    server,
    traffic: getLeads(cached, randomFrom(seed), key),
  }));
  const table = await compare(`${grouped(cached)} cached leads`, variants, options, progress);
  await server.stop();
  return table;
}
