import { test } from 'vitest';

import { longRounds, repeatable } from '../support/seed.ts';
import { startServer } from '../support/server.ts';
import { checkRoundTrip } from './round-trip.ts';
import { Files } from './run.ts';

const count = longRounds(3_000, 20_000);

test(`${count} hostile records stay the same`, async (context) => {
  repeatable(context);
  using files = new Files();
  await using server = await startServer();
  await checkRoundTrip(server, files, count);
});
