import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';

import { postgresEngine } from '../bench/databases/postgres.ts';
import { sqliteEngine } from '../bench/databases/sqlite.ts';
import { describeEngine, engines } from '../support/databases.ts';
import { Random } from '../support/random.ts';
import { longRounds, repeatable, seed } from '../support/seed.ts';
import { attackKinds } from './attacks.ts';
import { Databases } from './contents.ts';
import { heading, lineOf } from './report.ts';
import { attackTogether } from './together.ts';

/** Attacks that depend on the database; the others run on SQLite only. */
const onBoth = new Set([
  'creates',
  'damaged',
  'fuzz',
  'parent-deletes',
  'reorders',
  'deep-offsets',
  'long-lists',
  'long-record-updates',
  'long-record-updates-unread',
  'long-record-batches',
  'replays',
  'shared-keys',
  'long-record-pages-unread',
]);

/** Smaller versions of another attack. */
const smaller = new Set(['uploads-30', 'uploads-100']);

const random = new Random(seed);

/** A third of the attacks of each kind, by the seed. `npm run attack` does all, and so does TEST_FULL=1. */
const drawn = attackKinds.flatMap((kind) => {
  const others = kind.filter(({ name }) => !smaller.has(name));
  return longRounds(random.shuffled(others).slice(0, Math.ceil(others.length / 3)), kind);
});

/**
 * Times the bounds, so that only waits of seconds fail on a busy machine. `npm run attack` judges an idle machine by the
 * bounds themselves.
 */
const slack = 4;

const options = { seed, time: 500, slack };

for (const one of engines) {
  const { name } = one;
  describeEngine(one, 'a server under attack', () => {
    beforeEach(repeatable);

    test('nobody keeps a quiet client waiting', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'records-attack-'));
      try {
        await using engine = name === 'SQLite' ? sqliteEngine(folder, undefined) : await postgresEngine();
        const chosen = drawn.filter(
          (attack) => (attack.engine ?? (onBoth.has(attack.name) ? name : 'SQLite')) === name,
        );
        console.info(`${engine.place}\n${heading}`);
        const violations = await attackTogether(chosen, new Databases(engine), options, (attack, outcome) => {
          console.info(lineOf(attack, outcome));
        });
        expect(violations).toEqual([]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
}
