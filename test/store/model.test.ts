import { beforeEach, expect, test } from 'vitest';

import type { Table } from '../../runtime/kernel/model/table.ts';
import type { SingleResult, SingleWrite, WriteResult } from '../../runtime/kernel/records/write.ts';
import { Random } from '../support/random.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import { Choice, used } from './choice.ts';
import { onEachEngine, options, parsed, type Stored, tableNamed } from './contract.ts';
import { Model, type ModelResult } from './model.ts';
import { onlyJson } from '../support/main-store.ts';

// The first one has found a fault.
const seeds = [291_406, ...Array.from({ length: rounds(1, 3, 29) }, (_, n) => seed + n)];
const steps = 400;

beforeEach(repeatable);

onEachEngine((subject) => {
  test.each(seeds)('random writes do what they say, and lists show it (seed %i)', async (ownSeed) => {
    const model = new Model();
    model.adopt(options, parsed(options, await onlyJson(subject.store, 'options')));
    const random = new Random(ownSeed);
    const choice = new Choice(random, model);
    const outcomes = new Set<string>();

    const shown = (write: SingleWrite, result: SingleResult): ModelResult => {
      const table = used.find(({ name }) => name === write.table) as Table;
      return result.outcome === 'written' ? { outcome: 'written', row: parsed(table, result.json) } : result;
    };

    /** Does what the model does with the same writes one by one, up to the first that fails: then nothing. */
    const batch = async (): Promise<string> => {
      const writes: SingleWrite[] = [];
      const wanted: unknown[] = [];
      const isTrial = random.chance(0.1);
      let failure: ModelResult | undefined;
      model.attempt(() => {
        const length = 1 + random.below(6);
        while (writes.length < length && !failure) {
          const write = choice.write();
          const result = model.write(write);
          writes.push(write);
          if (result.outcome === 'reordered') {
            const page = model.list(tableNamed(write.table), { limit: 1000, offset: 0, where: result.parent });
            // A copy: the model keeps its rows, and changes them.
            wanted.push(structuredClone({ ...result, page }));
          } else if (result.outcome === 'written' || result.outcome === 'deleted') {
            wanted.push(result);
          } else {
            failure = result;
          }
        }
        return !failure && !isTrial;
      });
      const at = wanted.length;
      // A write after a failed one is not done.
      if (failure) writes.push(choice.write());
      const result = await subject.store.write({ op: 'batch', table: writes[0]!.table, writes, isTrial });
      const context = JSON.stringify({ writes });
      if (failure || isTrial) {
        expect(result, context).toEqual({ outcome: 'refused', at, reason: failure });
      } else {
        expect(result, context).toMatchObject({ outcome: 'done' });
        const { results } = result as Extract<WriteResult, { outcome: 'done' }>;
        const found = results.map((effect, place) => {
          const write = writes[place]!;
          if (effect.outcome !== 'reordered') return shown(write, effect);
          const items = (JSON.parse(`[${effect.page?.items}]`) as Stored[]).map((row) =>
            parsed(tableNamed(write.table), JSON.stringify(row)),
          );
          return { ...effect, page: { ...effect.page, items } };
        });
        expect(found, context).toEqual(wanted);
      }
      return result.outcome;
    };
    for (let step = 0; step < steps; step++) {
      if (random.chance(0.2)) {
        outcomes.add(`batch: ${await batch()}`);
      } else {
        const write = choice.write();
        const result = (await subject.store.write(write)) as SingleResult;
        expect(shown(write, result), JSON.stringify({ step, write })).toEqual(model.write(write));
        outcomes.add(`${write.op}: ${result.outcome}`);
      }
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
