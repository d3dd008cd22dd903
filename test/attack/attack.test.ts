import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { sqliteEngine } from '../bench/databases/sqlite.ts';
import { repeatable, seed } from '../support/seed.ts';
import { type Attack, inTurn } from './attack.ts';
import { named } from './attacks.ts';
import { Databases } from './contents.ts';
import { heading, lineOf } from './report.ts';
import { attackServer, Trial } from './trial.ts';

/** Of all attacks, which `npm run test:long` does, those that say most in little time. */
const quick = inTurn(
  'quick',
  named('refused-resets', 'half-closed', 'garbage', 'slow-heads', 'unknown-keys-1mib', 'fuzz'),
);

const options = { seed, time: 1_000 };

let folder: string;
let databases: Databases;

beforeEach(repeatable);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'records-attack-'));
  databases = new Databases(sqliteEngine(folder, undefined));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('nobody keeps a quiet client waiting', async () => {
  console.info(heading);
  const violations = await attackServer(quick, databases, options, (outcome) => {
    console.info(`${lineOf(quick, outcome)}: ${quick.what}`);
  });
  expect(violations).toEqual([]);
}, 120_000);

test('a server that stands still, or ends, has not withstood', async () => {
  const still: Attack = {
    name: 'still',
    what: 'a server that stands still for half a second',
    async run({ pid }) {
      process.kill(pid, 'SIGSTOP');
      await wait(500);
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
  await using trial = await Trial.start(databases, still);
  expect((await trial.attack(still, watched)).violations).toContain('longest stall');
  expect((await trial.attack(dead, watched)).violations).toContain('the server ended: SIGKILL');
});
