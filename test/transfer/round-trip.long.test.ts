import { expect, test } from 'vitest';

import { repeatable } from '../support/seed.ts';
import { startServer } from '../support/server.ts';
import { checkRoundTrip } from './round-trip.ts';
import { Files, run } from './run.ts';

test('20,000 hostile records stay the same', async (context) => {
  repeatable(context);
  using files = new Files();
  const server = await startServer();
  try {
    await checkRoundTrip(server, files, 20_000);
  } finally {
    await server.close();
  }
});

test('settings are updated by a file of one row', async () => {
  using files = new Files();
  const server = await startServer();
  try {
    const file = files.write('settings.csv', 'number_of_bays,holiday_list,takes_bookings\n3,Public holidays,true\n');
    expect(await run(server, files, 'import', 'workshop/booking-settings', file)).toMatchObject({ code: 0 });
    expect((await server.request('GET', '/api/workshop/booking-settings')).body).toMatchObject({
      number_of_bays: 3,
      holiday_list: 'Public holidays',
      takes_bookings: true,
    });
  } finally {
    await server.close();
  }
});
