import { afterAll, beforeAll, expect, test } from 'vitest';

import { describeEngine, engines } from '../support/databases.ts';
import { ask, Versions } from './specs.ts';

/** Bills that count their red lines. @param factor that of each line's price */
const bills = (colors: readonly unknown[], red: string, factor = 1) => ({
  'stock/bill': {
    kind: 'record',
    doc: 'A bill.',
    fields: {
      reds: { type: 'integer', nullable: false, computed: 'sum(line.is_red)' },
      total: { type: 'integer', nullable: false, computed: 'sum(line.price)' },
    },
  },
  'stock/line': {
    kind: 'line-item',
    doc: 'A line.',
    parent: { field: 'bill_id', resource: 'stock/bill' },
    fields: {
      bill_id: { required: true },
      color: { enum: [...colors, 'green'], required: true },
      count: { type: 'integer', required: true },
      is_red: { type: 'integer', nullable: false, computed: `color == '${red}' ? 1 : 0` },
      price: { type: 'integer', nullable: false, computed: `count * ${factor}` },
    },
  },
});

let versions: Versions;
beforeAll(async () => {
  const scarlet = { value: 'scarlet', renamed_from: ['crimson', 'brick'] };
  versions = await Versions.of({
    first: bills(['crimson', 'brick'], 'crimson'),
    renamed: bills([scarlet], 'scarlet'),
    dearer: bills([scarlet], 'scarlet', 2),
  });
}, 60_000);
afterAll(() => versions[Symbol.dispose]());

for (const engine of engines) {
  describeEngine(engine, 'totals over computed fields of line items', () => {
    test('follow an expression of the items that changes, and values of the items that are renamed', async () => {
      await using database = await engine.create();
      const env = { DATABASE_URL: database.url };
      {
        await using server = await versions.start('first', env);
        const { url } = server;
        const { body } = await ask(url, 'POST', '/api/stock/bill', {});
        for (const color of ['crimson', 'brick', 'green'])
          await ask(url, 'POST', '/api/stock/line', { bill_id: body['id'], color, count: 5 });
      }
      const totals = async (): Promise<unknown> => {
        const [bill] = await database.query('select reds, total from bill');
        return [Number(bill?.['reds']), Number(bill?.['total'])];
      };
      expect(await totals()).toEqual([1, 15]);
      for (const [version, expected] of [
        ['renamed', [2, 15]],
        ['dearer', [2, 30]],
      ] as const) {
        const end = await versions.migrate(version, env);
        expect(await totals(), version).toEqual(expected);
        // An end between the steps of the lines and of the bills loses no step.
        expect(end.stdout).toMatch(
          /of line the values [^]*delete from "_required_column"[^;]*'bill [^]*of bill the values /,
        );
        expect((await versions.migrate(version, env, '--plan')).stdout).toContain('Nothing to do.');
      }
    });
  });
}
