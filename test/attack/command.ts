// Attacks the server, and judges how it takes it: `npm run attack -- --help` names the options.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { postgresEngine } from '../bench/databases/postgres.ts';
import { sqliteEngine } from '../bench/databases/sqlite.ts';
import { Databases } from './contents.ts';
import { readOptions } from './options.ts';
import { heading, lineOf } from './report.ts';
import { attackServer } from './trial.ts';

const { minutes, only, database, seed, list } = await readOptions();
if (list) {
  for (const { name, what } of only) console.log(`${name.padEnd(28)} ${what}`);
  process.exit();
}

/** How long goes on what has no end of its own, in milliseconds. */
const time = 3_000;

const folder = mkdtempSync(join(tmpdir(), 'records-attack-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

await using engine = database === 'sqlite' ? sqliteEngine(folder, undefined) : await postgresEngine();
console.log(`Seed ${seed}, ${engine.place}`);
console.log(heading);
const databases = new Databases(engine);
let violated = 0;
const chosen = only.filter((attack) => (attack.engine ?? engine.name) === engine.name);
for (const attack of chosen) {
  const duration = (minutes * 60_000) / chosen.length;
  const violations = await attackServer(attack, databases, { seed, time, duration }, (outcome) => {
    console.log(lineOf(attack, outcome));
  });
  if (violations.length > 0) violated += 1;
}
console.log(violated === 0 ? 'All withstood.' : `Not withstood: ${violated} of ${chosen.length}.`);
process.exitCode = violated === 0 ? 0 : 1;
