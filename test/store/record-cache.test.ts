import { expect, test } from 'vitest';

import { sqliteDialect } from '../../runtime/sqlite/dialect.ts';
import { RecordCache } from '../../runtime/sqlite/record-cache.ts';
import { Dml } from '../../runtime/sql/dml.ts';
import { service } from '../service/generated/app.ts';

test('a cached record keeps its own bytes alone in memory, and no part of a buffer that it was read into', () => {
  const cache = new RecordCache();
  const owner = new Dml(service.tables, sqliteDialect).of('lead', 1);
  const page = Buffer.from('{"lead_name":"Zoë"}{"lead_name":"Al"}');
  const records = { a: '{"lead_name":"Zoë"}', b: page.subarray(0, 20), c: page.subarray(20) };
  for (const [id, json] of Object.entries(records)) {
    // It is cached when it is read for the second time.
    for (let n = 0; n < 2; n++) cache.offer(owner, id, { json, version: 1 });
    const cached = cache.get(owner, id)?.json;
    expect(String(cached)).toBe(String(json));
    expect(cached?.buffer.byteLength).toBe(Buffer.byteLength(json));
  }
});
