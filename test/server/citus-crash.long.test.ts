import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

import { ApiError } from '../../runtime/kernel/model/errors.ts';
import type { Store } from '../../runtime/kernel/records/store.ts';
import type { Write, WriteResult } from '../../runtime/kernel/records/write.ts';
import { company, insertOf, office, part } from '../store/contract.ts';
import { citusMissing, createCitus } from '../support/citus.ts';
import { expectExactTotals } from '../support/databases.ts';
import { jsonOf, openPostgres } from '../support/main-store.ts';
import { Random } from '../support/random.ts';
import { seed } from '../support/seed.ts';

/** A command that crashes the node at the port that follows it, as by `kill -9`, and starts it again. */
const crash = process.env['TEST_CITUS_CRASH'];
const missing =
  citusMissing ?? (crash ? undefined : 'no node may be crashed; set TEST_CITUS_CRASH to a command that does');
if (missing !== undefined) console.warn(`Skipped: crashes of nodes of Citus: ${missing}.`);

const tables = [company, office, part];
const organizations = 20;
const crashesOfEach = 3;

/** The confirmed state of each record of a writer: its JSON, or undefined if it was deleted. */
type Told = Map<string, { readonly organization: number; readonly table: string; readonly json: string | undefined }>;

test.skipIf(missing !== undefined)('nodes that crash under load lose nothing that was acknowledged', async () => {
  await using database = await createCitus();
  await database.migrate(tables);
  await using stores = new AsyncDisposableStack();
  const servers: Store[] = [];
  for (const url of database.urls) {
    const store = await openPostgres(url, tables, true);
    stores.defer(() => store.close());
    servers.push(store);
  }
  const told: Told = new Map();
  let acknowledged = 0;
  let refused = 0;
  const over = new AbortController();

  async function write(server: Store, organization: number, id: string, one: Write): Promise<WriteResult> {
    // Until it is acknowledged, the record may be as before or as after.
    const before = told.get(id);
    told.delete(id);
    const result = await server.of(organization).write(one);
    acknowledged++;
    if (result.outcome === 'written') told.set(id, { organization, table: one.table, json: result.json });
    else if (result.outcome === 'deleted') told.set(id, { organization, table: one.table, json: undefined });
    else if (before) told.set(id, before);
    return result;
  }

  async function writer(place: number): Promise<void> {
    const random = new Random(seed * 100 + place);
    const server = servers[place % servers.length] as Store;
    while (!over.signal.aborted) {
      const organization = 1 + random.below(organizations);
      const insert = async (one: Write & { op: 'insert' }): Promise<string> => {
        const id = String(one.values[0]);
        expect(await write(server, organization, id, one)).toMatchObject({ outcome: 'written' });
        return id;
      };
      const time = new Date().toISOString();
      try {
        const id = await insert(insertOf(company, { name: `of writer ${place}` }));
        const item = await insert(insertOf(office, { company_id: id }));
        await insert(insertOf(part, { machine_id: `machine ${random.below(3)}` }));
        const set = { name: 'changed' };
        await write(server, organization, id, { op: 'update', table: 'company', id, set, expected: {}, time });
        if (random.chance(0.3)) {
          // Its items go with it.
          told.delete(item);
          await write(server, organization, id, { op: 'delete', table: 'company', id, time: '' });
        }
      } catch (error) {
        if (!(error instanceof ApiError && ['unavailable', 'overloaded'].includes(error.code))) throw error;
        refused++;
        await pause(20);
      }
    }
  }

  const writers = Array.from({ length: 12 }, (_, place) => writer(place));
  const failed = Promise.all(writers).catch((error: unknown) => {
    over.abort();
    throw error;
  });
  for (let n = 0; n < crashesOfEach * database.urls.length && !over.signal.aborted; n++) {
    await pause(1_500);
    const { port } = new URL(database.urls[n % database.urls.length] as string);
    await promisify(execFile)('sh', ['-c', `${crash} ${port}`]);
  }
  await pause(1_500);
  over.abort();
  await failed;

  let wrong = 0;
  for (const [id, { organization, table, json }] of told) {
    const stored = await jsonOf((servers[0] as Store).of(organization), table, id);
    if (stored !== json) wrong++;
  }
  console.info(
    `${acknowledged} acknowledged writes, ${refused} refused, ${told.size} records compared, ${wrong} wrong.`,
  );
  expect(wrong).toBe(0);
  expect(told.size).toBeGreaterThan(100);
  await expectExactTotals(database, tables);
});
