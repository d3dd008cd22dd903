import { expect, test } from 'vitest';

import { Clock } from '../support/clock.ts';
import { expectProblem } from '../support/problem.ts';
import { create, list, update } from '../support/records.ts';
import { timestampPattern } from '../support/samples.ts';
import { startServer } from '../support/server.ts';
import { Folder } from './command.ts';

const leads = '/api/crm/lead';
const years = 365 * 24 * 60 * 60 * 1_000; // milliseconds

test('a server whose clock is past the year 9999 writes nothing, and writes again when the clock is right', async () => {
  using folder = new Folder();
  const clock = new Clock(folder.file('clock'));
  await using server = await startServer({ env: clock.env });
  const lead = await create(server, leads, { lead_name: 'Ann' });
  clock.setAhead(8_000 * years);
  const writes = [
    await server.request('POST', leads, { lead_name: 'Bob' }),
    await server.request('PATCH', `${leads}/${lead.id}`, { lead_name: 'Bob' }),
    await server.request('POST', '/api/batch', { operations: [{ method: 'POST', path: leads, body: {} }] }),
  ];
  for (const answer of writes) {
    const { detail } = expectProblem(answer, 500, 'clock_out_of_range');
    expect(detail).toBe(
      'The clock of the server is past the year 9999, so that it cannot write. Nothing was done. Set the clock.',
    );
  }
  expect(await list(server, leads)).toMatchObject({ data: [lead], total: 1 });

  clock.setAhead(0);
  const next = await create(server, leads, {});
  const changed = await update(server, leads, lead.id, { city: 'Oslo' });
  for (const timestamp of [next['created_at'], changed['updated_at']]) expect(timestamp).toMatch(timestampPattern);
  expect((await list(server, leads)).data.map(({ id }) => id)).toEqual([next.id, lead.id]);
});
