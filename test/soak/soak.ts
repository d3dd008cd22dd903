// Uses the server for minutes, and shows whether it grows: `npm run soak -- --help` names the options.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { AttackedServer } from '../attack/server.ts';
import { postgresEngine } from '../bench/databases/postgres.ts';
import { sqliteEngine } from '../bench/databases/sqlite.ts';
import { Random } from '../support/random.ts';
import { levels, type Sample, slopeOf } from './levels.ts';
import { Traffic } from './traffic.ts';

const usage = `Usage: npm run soak -- [--minutes 10] [--warm-up 2] [--database sqlite|postgres] [--clients 16] [--seed 1]

The first minutes, --warm-up, are not judged: caches fill, code is compiled.`;

/** Milliseconds between two looks at the server. */
const interval = 1_000;

/** Milliseconds between two lines about it. */
const lineInterval = 30_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    'warm-up': { type: 'string', default: '2' },
    database: { type: 'string', default: 'sqlite' },
    clients: { type: 'string', default: '16' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit();
}
const [minutes, warmUp] = [Number(values.minutes), Number(values['warm-up'])];
const [clients, seed] = [Number(values.clients), Number(values.seed)];
if (!(minutes > warmUp) || !(warmUp >= 0) || !(clients >= 1) || !Number.isSafeInteger(seed)) throw new Error(usage);

const folder = mkdtempSync(join(tmpdir(), 'records-soak-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

await using engine = values.database === 'postgres' ? await postgresEngine() : sqliteEngine(folder, undefined);
const database = engine.database('soak');
await database.create();
await using server = await AttackedServer.start(database.url);
console.log(`Seed ${seed}, ${clients} clients, ${minutes} minutes, ${engine.place}`);

const traffic = new Traffic(server.port, clients, new Random(seed));
const samples = new Map(levels.map((level) => [level, [] as Sample[]]));
const begin = performance.now();
let nextLine = 0;
while (performance.now() - begin < minutes * 60_000 && server.end === undefined) {
  await wait(interval);
  const elapsed = performance.now() - begin;
  const shown = levels.map((level) => {
    const value = level.read(server.pid, database.url);
    if (value !== undefined) samples.get(level)?.push({ minute: elapsed / 60_000, value });
    return `${level.name} ${value?.toFixed(level.unit ? 1 : 0) ?? '-'} ${level.unit}`;
  });
  if (elapsed < nextLine) continue;
  nextLine += lineInterval;
  console.log(`${(elapsed / 60_000).toFixed(1).padStart(6)} min: ${shown.join(', ')}; ${traffic.done} requests`);
}
const ended = server.end;
await traffic.stop();

const faults = [...traffic.faults];
if (ended !== undefined) faults.push(`The server ended: ${ended}.`);
if (server.errors !== '') faults.push(`The server wrote to stderr: ${server.errors.slice(0, 1_000)}`);
for (const [{ name, unit, allowance }, all] of samples) {
  const judged = all.filter(({ minute }) => minute >= warmUp);
  if (judged.length === 0) {
    console.log(`${name}: cannot be seen here`);
    continue;
  }
  const growth = slopeOf(judged) * (minutes - warmUp);
  const most = Math.max(...judged.map(({ value }) => value));
  const isFlat = growth <= allowance;
  if (!isFlat) faults.push(`${name} grows.`);
  console.log(
    `${name}: ${growth.toFixed(2)} ${unit} more by the line that fits, ${allowance} allowed; at most ` +
      `${most.toFixed(1)} ${unit}: ${isFlat ? 'flat' : 'GROWS'}`,
  );
}
console.log(`${traffic.done} requests. ${faults.join('\n') || 'Nothing was answered wrongly.'}`);
process.exitCode = faults.length > 0 ? 1 : 0;
