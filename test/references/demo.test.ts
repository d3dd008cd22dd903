import { expect, test } from 'vitest';

import { Filler } from '../../runtime/data/demo/fill.ts';
import { Api } from '../../runtime/data/transfer/api.ts';
import { writableResources } from '../../runtime/data/transfer/resource.ts';
import { service } from '../service/generated/app.ts';
import { testKey } from '../support/server.ts';
import { expectIntact, onEachEngine } from './library.ts';

onEachEngine('invented records', (subject) => {
  test('reference records that are there', async () => {
    const { library, database } = subject;
    const api = new Api({ url: library.server.url, key: testKey });
    const resources = writableResources(service.tables).filter(({ name }) => name.startsWith('library/'));
    expect(await new Filler(api, { count: 120, seed: 1 }, () => {}).fill(resources)).toEqual([]);
    for (const resource of ['author', 'book', 'loan', 'remark']) {
      expect((await library.list(resource)).length, resource).toBeGreaterThan(3);
    }
    await expectIntact(database);
  });
});
