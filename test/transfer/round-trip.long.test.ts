import { test } from 'vitest';

import { repeatable } from '../support/seed.ts';
import { startServer } from '../support/server.ts';
import { checkRoundTrip } from './round-trip.ts';
import { Files } from './run.ts';

test('20,000 hostile records stay the same', async (context) => {
  repeatable(context);
  using files = new Files();
  await using server = await startServer();
  await checkRoundTrip(server, files, 20_000);
});
