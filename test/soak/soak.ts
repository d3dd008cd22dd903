// Uses the server for minutes, and shows whether it grows: `npm run soak -- --help` names the options.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { usageError } from '../../runtime/commands/arguments.ts';
import { AttackedServer } from '../attack/server.ts';
import { postgresEngine } from '../bench/databases/postgres.ts';
import { sqliteEngine } from '../bench/databases/sqlite.ts';
import { readCommandLine } from '../support/command-line.ts';
import { Random } from '../support/random.ts';
import { growthOf, levels, type Sample } from './levels.ts';
import { Traffic } from './traffic.ts';

const text = { type: 'string' } as const;

const command = {
  help: `Uses the server for minutes, and shows whether it grows.

Usage: npm run soak -- [options]

Options:
  --minutes N                 how long (default: 10)
  --warm-up N                 the first minutes, which are not judged: caches fill (default: 2)
  --database sqlite|postgres  what the server uses (default: sqlite)
  --clients N                 clients, each with one request under way (default: 16)
  --seed N                    of the random choices (default: 1)
  --help, -h                  prints this

Examples:
  npm run soak -- --minutes 60 --database postgres  an hour on PostgreSQL
`,
  options: {
    minutes: { ...text, default: '10' },
    'warm-up': { ...text, default: '2' },
    database: { ...text, default: 'sqlite' },
    clients: { ...text, default: '16' },
    seed: { ...text, default: '1' },
  },
} as const;

/** Milliseconds between two looks at the server. */
const interval = 1_000;

/** Milliseconds between two lines about it. */
const lineInterval = 30_000;

const {
  minutes,
  warmUp,
  clients,
  seed,
  database: kind,
} = await readCommandLine(command, (values) => {
  const [duration, ignored] = [Number(values.minutes), Number(values['warm-up'])];
  if (!(duration > ignored) || !(ignored >= 0)) {
    throw usageError(command.help, '--minutes must be more than --warm-up, which must be 0 or more.');
  }
  const whole = (name: 'clients' | 'seed', least: number): number => {
    const value = Number(values[name]);
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw usageError(command.help, `--${name} must be a whole number from ${least} on.`);
  };
  const { database: named } = values;
  if (named !== 'sqlite' && named !== 'postgres')
    throw usageError(command.help, '--database must be sqlite or postgres.');
  return { minutes: duration, warmUp: ignored, clients: whole('clients', 1), seed: whole('seed', 0), database: named };
});

const folder = mkdtempSync(join(tmpdir(), 'records-soak-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

await using engine = kind === 'postgres' ? await postgresEngine() : sqliteEngine(folder, undefined);
const database = engine.database('soak');
await database.create();
await using server = await AttackedServer.start(database.url, './test/soak/live-memory.ts');
console.log(`Seed ${seed}, ${clients} clients, ${minutes} minutes, ${engine.place}`);

const traffic = new Traffic(server.port, clients, new Random(seed));
const samples = new Map(levels.map((level) => [level, [] as Sample[]]));
const begin = performance.now();
let nextLine = 0;
while (performance.now() - begin < minutes * 60_000 && server.end === undefined) {
  await wait(interval);
  const elapsed = performance.now() - begin;
  const shown = levels.map((level) => {
    const value = level.read(server, database.url);
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
for (const [{ name, unit, allowance, harmless = 0 }, all] of samples) {
  const judged = all.filter(({ minute }) => minute >= warmUp);
  if (judged.length === 0) {
    console.log(`${name}: cannot be seen here`);
    continue;
  }
  const growth = growthOf(judged);
  const most = Math.max(...judged.map(({ value }) => value));
  const isFlat = growth <= allowance || most <= harmless;
  if (!isFlat) faults.push(`${name} grows.`);
  console.log(
    `${name}: ${growth.toFixed(2)} ${unit} more by the line that fits, ${allowance} allowed; at most ` +
      `${most.toFixed(1)} ${unit}: ${isFlat ? 'fine' : 'GROWS'}`,
  );
}
console.log(`${traffic.done} requests. ${faults.join('\n') || 'Nothing was answered wrongly.'}`);
process.exitCode = faults.length > 0 ? 1 : 0;
