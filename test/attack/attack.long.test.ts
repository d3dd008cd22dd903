import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';

import { postgresEngine } from '../bench/databases/postgres.ts';
import { sqliteEngine } from '../bench/databases/sqlite.ts';
import { describeEngine, engines } from '../support/databases.ts';
import { repeatable, seed } from '../support/seed.ts';
import { attacks } from './attacks.ts';
import { Databases } from './contents.ts';
import { heading, lineOf } from './report.ts';
import { attackTogether } from './together.ts';

/** What is not withstood yet; only `npm run attack` does these. */
const notYet = new Set(
  (
    'uploads-30 uploads-100 uploads-200 bodies-one-byte-short tiny-chunks tiny-chunks-16mib pipelined-lists ' +
    'pipelined-lists-unread pipelined-small large-pages-unread long-lists lists heads slow-readers reset-requests'
  ).split(' '),
);

/** What depends on the database; the others are done on SQLite only. */
const onBoth = new Set(['creates', 'fuzz', 'parent-deletes', 'reorders', 'deep-offsets', 'long-lists']);

const options = { seed, time: 1_500 };

for (const one of engines) {
  const { name } = one;
  describeEngine(one, 'a server under attack', () => {
    beforeEach(repeatable);

    test('nobody keeps a quiet client waiting', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'records-attack-'));
      try {
        await using engine = name === 'SQLite' ? sqliteEngine(folder, undefined) : await postgresEngine();
        const there = attacks.filter(
          (attack) => (attack.engine ?? (onBoth.has(attack.name) ? name : 'SQLite')) === name,
        );
        const leftOut = there.filter((attack) => notYet.has(attack.name)).map((attack) => attack.name);
        if (leftOut.length > 0) console.warn(`Not yet withstood, and left out: ${leftOut.join(', ')}.`);
        const chosen = there.filter((attack) => !notYet.has(attack.name));
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
