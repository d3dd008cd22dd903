import { beforeEach, expect, test } from 'vitest';

import type { Table } from '../../runtime/schema/table.ts';
import { Random } from '../support/random.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import { Choice, used } from './choice.ts';
import { onEachEngine, options, parsed, type Stored } from './contract.ts';
import { Model, type ModelResult } from './model.ts';

// The first one has found a fault.
const seeds = [291_406, ...Array.from({ length: rounds(2, 29) }, (_, n) => seed + n)];
const steps = 400;

beforeEach(repeatable);

onEachEngine((subject) => {
  test.each(seeds)('random writes do what they say, and lists show it (seed %i)', async (ownSeed) => {
    const model = new Model();
    model.adopt(options, parsed(options, await subject.store.only('options')));
    const choice = new Choice(new Random(ownSeed), model);
    const outcomes = new Set<string>();
    for (let step = 0; step < steps; step++) {
      const write = choice.write();
      const result = await subject.store.write(write);
      const table = used.find(({ name }) => name === write.table) as Table;
      const shown: ModelResult =
        result.outcome === 'written' ? { outcome: 'written', row: parsed(table, result.json) } : result;
      expect(shown, JSON.stringify({ step, write })).toEqual(model.write(write));
      outcomes.add(`${write.op}: ${result.outcome}`);
      const listed = choice.table();
      if (listed === options) continue;
      const page = choice.page(listed);
      const found = await subject.page(listed, page);
      expect(found, JSON.stringify({ step, table: listed.name, page })).toEqual(model.list(listed, page));
    }
    for (const table of used) {
      for (const row of model.rows(table)) expect(await subject.get(table, row.id)).toEqual(row satisfies Stored);
    }
    // Else the choices above are bad ones.
    expect(outcomes.size).toBeGreaterThanOrEqual(10);
  });
});
