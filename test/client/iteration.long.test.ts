import { expect, test } from 'vitest';

import { createClient } from '../service/generated/client.ts';
import { sharedServer, testKey } from '../support/server.ts';

const server = sharedServer();
const count = 1_200;

test.each([100, 1000])(`${count} records in pages of %i, while others come and go`, async (limit) => {
  const api = createClient({ url: server.url, key: testKey });
  const ids: string[] = [];
  for (let n = 0; n < count; n += 100) {
    ids.push(
      ...(
        await api.batch((queue) =>
          Array.from({ length: 100 }, (_, at) => queue.crm.contact.create({ full_name: `${n + at}` })),
        )
      ).map(({ id }) => id),
    );
  }
  const seen: string[] = [];
  for await (const { id } of api.crm.contact.each({ limit, fields: ['id'] })) {
    seen.push(id);
    if (seen.length % 50 === 0) {
      await api.crm.contact.create({ full_name: 'New' });
      await api.crm.contact.delete(id);
    }
  }
  expect(seen.slice(0, count)).toEqual(ids.toReversed());
});
