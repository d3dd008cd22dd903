import { expect, test } from 'vitest';

import { createClient } from '../../generated/client.ts';
import { fullRound } from '../support/client-round.ts';
import { testKey } from '../support/server.ts';
import { lineItems, records, singletons } from './interface.ts';
import { sharedServer } from './server.ts';

const resources = [...records, ...singletons, ...lineItems];

const server = sharedServer();

test('the client has every resource of the interface', () => {
  const { batch: _, ...areas } = createClient({ url: server.url, key: testKey });
  expect(Object.values(areas).flatMap((area) => Object.keys(area))).toHaveLength(27);
});

test.each(resources)('every operation of $name', async (resource) => {
  await fullRound(createClient({ url: server.url, key: testKey }), resource, resources);
});
