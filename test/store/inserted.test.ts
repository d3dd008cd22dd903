import { expect, test } from 'vitest';
import { z } from 'zod';

import { newId } from '../../runtime/kernel/model/ids.ts';
import {
  backfilled,
  boolean,
  decimal,
  id,
  integer,
  list,
  number,
  optional,
  text,
  timestamp,
  type Value,
} from '../../runtime/kernel/model/fields.ts';
import { record } from '../../runtime/kernel/model/table.ts';
import type { Items, Page } from '../../runtime/kernel/records/page.ts';
import { textOf } from '../support/databases.ts';
import { jsonOf, openPostgres } from '../support/main-store.ts';
import { createPostgres, describePostgres } from '../support/postgres.ts';
import { Random } from '../support/random.ts';
import { seed } from '../support/seed.ts';

const thing = record(
  'thing',
  z.strictObject({
    id: id(),
    label: optional(text()),
    size: optional(number()),
    count: optional(integer()),
    other_size: optional(number()),
    used: optional(boolean()),
    price: optional(decimal({ digits: 18, scale: 4 })),
    tags: optional(list(text())),
    state: backfilled(text(), 'it\'s "open"'),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
);

describePostgres('the JSON of a new record', () => {
  test('is that of later reads, byte by byte, whether the engine makes their JSON or this process', async () => {
    const random = new Random(seed);
    const bits = new DataView(new ArrayBuffer(8));
    const anyNumber = (): number => {
      bits.setUint32(0, random.below(2 ** 32));
      bits.setUint32(4, random.below(2 ** 32));
      return bits.getFloat64(0);
    };
    const numbers = [-0, 0.1, 1e15, 1e-5, 1e22, 1e23, -1.25e22, 5e-324, 1.7976931348623157e308];
    while (numbers.length < 300) numbers.push(anyNumber());
    const characters = String.fromCodePoint(...Array.from({ length: 300 }, (_, n) => n + 1), 0x2028, 0xfeff, 0x1f600);
    const records = numbers.filter(Number.isFinite).map((size, n): Value[] => {
      const { id: own, time } = newId('thing');
      const label = n % 5 === 0 ? null : characters.slice(n, n + 40).toWellFormed();
      return [
        own,
        label,
        size,
        n % 3 === 0 ? null : Number.MAX_SAFE_INTEGER - n,
        n % 4 === 0 ? null : n / 7,
        n % 2 === 0,
        n % 3 === 0 ? null : `${n - 100}.0${n % 10}00`,
        n % 4 === 0 ? null : JSON.stringify([label ?? '', `${n}`]),
        n % 5 === 0 ? null : label,
        time,
        time,
      ];
    });
    await using database = await createPostgres();
    await using store = await openPostgres(database.url, [thing], true);
    const written = await Promise.all(records.map((values) => store.write({ op: 'insert', table: 'thing', values })));
    const read = await Promise.all(records.map(([own]) => jsonOf(store, 'thing', String(own))));
    expect(written).toEqual(read.map((json) => ({ outcome: 'written', json, version: 1 })));
    const itemsOf = async (page: Pick<Page, 'limit' | 'offset' | 'projection'>): Promise<string> =>
      textOf((await store.list('thing', page))?.items as Items);
    const newestFirst = read.toReversed();
    expect(await itemsOf({ limit: 50, offset: 20 })).toBe(newestFirst.slice(20, 70).join());
    // The JSON of a long page is made by the engine.
    expect(await itemsOf({ limit: 1_000, offset: 0 })).toBe(newestFirst.join());
    const projection = { fields: ['id', 'size', 'price', 'tags', 'state'] };
    const some = await itemsOf({ limit: 100, offset: 0, projection });
    expect((await itemsOf({ limit: 1_000, offset: 0, projection })).slice(0, some.length)).toBe(some);
    expect(await store.show('thing', [String(records.at(-1)?.[0])], projection)).toBe(
      some.slice(0, some.indexOf('},{') + 1),
    );
  });
});
