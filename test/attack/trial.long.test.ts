import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { sqliteEngine } from '../bench/databases/sqlite.ts';
import { seed } from '../support/seed.ts';
import type { Attack } from './attack.ts';
import { named } from './attacks.ts';
import { Databases } from './contents.ts';
import { latencyViolations, Trial } from './trial.ts';

const options = { seed, time: 500 };

const [garbage, fuzz] = named('garbage', 'fuzz') as [Attack, Attack];

let folder: string;
let trial: Trial;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'records-attack-'));
  trial = await Trial.start(new Databases(sqliteEngine(folder, undefined)), garbage);
});
afterAll(async () => {
  await trial?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

// How long others wait meanwhile, attack.long.test.ts watches.
test.each([garbage, fuzz])('$name: $what', async (attack) => {
  const { violations } = await trial.attack(attack, { ...options, watch: 500 });
  const latencies: readonly string[] = Object.values(latencyViolations);
  expect(violations.filter((violation) => !latencies.includes(violation))).toEqual([]);
});

test('a server that stands still, or ends, has not withstood', async () => {
  const still: Attack = {
    name: 'still',
    what: 'a server that stands still for a second',
    async run({ pid }) {
      process.kill(pid, 'SIGSTOP');
      await wait(1_000);
      process.kill(pid, 'SIGCONT');
    },
  };
  const dead: Attack = {
    name: 'dead',
    what: 'a server that is killed',
    run({ pid }) {
      process.kill(pid, 'SIGKILL');
      return wait(100);
    },
  };
  const watched = { ...options, watch: 1_000 };
  expect((await trial.attack(still, watched)).violations).toContain('longest stall');
  expect((await trial.attack(dead, watched)).violations).toContain('the server ended: SIGKILL');
});
