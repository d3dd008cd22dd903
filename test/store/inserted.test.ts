import { expect, test } from 'vitest';
import { z } from 'zod';

import { newId } from '../../runtime/model/ids.ts';
import { boolean, id, integer, number, optional, text, timestamp, type Value } from '../../runtime/model/fields.ts';
import { record } from '../../runtime/model/table.ts';
import { openPostgres, jsonOf } from '../support/main-store.ts';
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
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
);

describePostgres('the JSON of a new record', () => {
  test('is that of later reads, byte by byte', async () => {
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
        time,
        time,
      ];
    });
    await using database = await createPostgres();
    await using store = await openPostgres(database.url, [thing], true);
    const written = await Promise.all(records.map((values) => store.write({ op: 'insert', table: 'thing', values })));
    const read = await Promise.all(records.map(([own]) => jsonOf(store, 'thing', String(own))));
    expect(written).toEqual(read.map((json) => ({ outcome: 'written', json, version: 1 })));
  });
});
