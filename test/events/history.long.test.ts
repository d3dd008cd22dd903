import { beforeEach, expect, test } from 'vitest';

import { Random } from '../support/random.ts';
import { longRounds, repeatable, seed } from '../support/seed.ts';
import { expectToldOf, folded, statesOf, Writers } from './history.ts';
import { onEachTrail } from './trail.ts';

const writes = longRounds(1_200, 5_000);

beforeEach(repeatable);

onEachTrail('the events of random writes', (trail) => {
  test(`of ${writes} make the records that there are, and each write has its own`, async () => {
    const writers = new Writers(trail, new Random(seed));
    writers.settings = (await trail.done('GET', 'workshop/booking-settings')).id;
    const before = await statesOf(trail);
    await writers.send(writes);
    const events = await trail.events('', 0, 100);
    expect(events.map(({ number }) => number)).toEqual(events.map((_, at) => at + 1));
    expect(folded(before, events)).toEqual(await statesOf(trail));
    expectToldOf(writers.told, events);
    const { outcomes } = writers;
    const kinds = ['POST single', 'PATCH single', 'DELETE single', 'POST batch', 'POST undo', 'not_found'];
    expect([...outcomes.keys()]).toEqual(expect.arrayContaining(kinds));
    const operations = ['create', 'update', 'delete', 'submit', 'reorder'];
    expect([...new Set(events.map(({ operation }) => operation))]).toEqual(expect.arrayContaining(operations));
  });
});
