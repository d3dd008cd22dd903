// Measures the real server beside two floors: `npm run bench -- [--connections N] [--seconds N] [--rounds N]`.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { Child } from './child.ts';
import { changeOf, leadOf } from './leads.ts';
import { Load } from './load.ts';
import { measure, type Measurement, median, medianOf, type Target } from './measure.ts';
import { grouped, tableOf } from './table.ts';
import { apiKey, createLeads, fillWith, getAlways, getLeads, leadPath, patchLeads } from './traffic.ts';

const leadCount = 20_000;
const warmUp = 1; // seconds
const starts = 5;
/** Share of the machine that other programs may have before the numbers are called unreliable. */
const quiet = 0.1;

interface Options {
  readonly connections: number;
  readonly seconds: number;
  readonly rounds: number;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      connections: { type: 'string', default: '32' },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
    },
  });
  const whole = (name: keyof Options): number => {
    const value = Number(values[name]);
    if (Number.isSafeInteger(value) && value > 0) return value;
    throw new Error(`--${name} must be a whole number from 1 on.`);
  };
  return { connections: whole('connections'), seconds: whole('seconds'), rounds: whole('rounds') };
}

/** A folder that goes away with this process, and the processes with it: see Child. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'records-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
  return folder;
}

function startServer(folder: string, observed: boolean): Promise<Child> {
  const env = {
    PORT: '0',
    HOST: '127.0.0.1',
    DATABASE_URL: `sqlite:${join(folder, 'records.db')}`,
    API_KEYS: apiKey,
  };
  return Child.start('generated/server.ts', { env, observed });
}

/** Starts and stops the server as it is, over each folder. @returns median milliseconds from spawn to first answer. */
async function timeStarts(folders: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (const folder of folders) {
    const begin = performance.now();
    const server = await startServer(folder, false);
    const [answer] = (await once(get({ port: server.port, path: '/healthz' }), 'response')) as [IncomingMessage];
    times.push(performance.now() - begin);
    answer.resume();
    if (answer.statusCode !== 200) throw new Error(`GET /healthz was answered ${answer.statusCode}.`);
    await server.stop();
  }
  return median(times);
}

/** One request by other means than the load's, for its body. */
async function ask<T>(server: Child, path: string, patch?: object): Promise<{ text: string; body: T }> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    ...(patch ? { method: 'PATCH', body: JSON.stringify(patch) } : {}),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}:\n${text}`);
  return { text, body: JSON.parse(text) as T };
}

type Lead = Record<string, unknown>;

/** Makes sure that the operations do what is measured. @returns the sizes of the answers, in words. */
async function checkAnswers(server: Child, ids: readonly string[]): Promise<string> {
  if (new Set(ids).size !== leadCount) throw new Error(`${leadCount} creates gave ${new Set(ids).size} ids.`);
  const path = `${leadPath}/${ids[0]}`;
  const before = await ask<Lead>(server, path);
  const change = changeOf(-1, 0);
  await ask<Lead>(server, path, change);
  const after = await ask<Lead>(server, path);
  for (const [name, value] of Object.entries(change)) {
    if (before.body[name] === value || after.body[name] !== value) throw new Error(`A patch did not change ${name}.`);
  }
  const list = await ask<{ data: Lead[]; total: number }>(server, leadPath);
  const { data, total } = list.body;
  if (data.length !== 20 || total !== leadCount) {
    throw new Error(`The list answered ${data.length} of ${total} leads, not 20 of ${leadCount}.`);
  }
  const bytes = grouped(Buffer.byteLength(before.text));
  const fields = `${Object.keys(leadOf(0)).length} of ${Object.keys(before.body).length} fields sent`;
  return `${bytes} bytes of JSON (${fields}; a list has ${grouped(Buffer.byteLength(list.text))} bytes)`;
}

/** Milliseconds that all cores together have been busy, by whomever. */
function machineBusy(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
}

/** Starts to watch; the returned function says which share of the machine other programs have had since. */
async function watchOthers(servers: readonly Child[]): Promise<() => Promise<number>> {
  const ours = async (): Promise<number> => {
    const { user, system } = process.cpuUsage();
    const usages = await Promise.all(servers.map((server) => server.usage()));
    return usages.reduce((sum, { cpu }) => sum + cpu, user + system) / 1000;
  };
  const before = { time: performance.now(), busy: machineBusy(), ours: await ours() };
  return async () => {
    const others = machineBusy() - before.busy - ((await ours()) - before.ours);
    return Math.max(0, others / cpus().length / (performance.now() - before.time));
  };
}

function report(targets: readonly Target[], rounds: readonly (readonly Measurement[])[], floor: number): string {
  const header = [
    '',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'busy',
    'CPU µs/request',
    '× Hono floor',
    'min–max',
    'of minima',
    'aim',
  ];
  const measurementsOf = (target: number): Measurement[] => rounds.map((round) => round[target] as Measurement);
  const floors = measurementsOf(floor).map(({ cpu }) => cpu);
  const rows = targets.map(({ name, aim }, i) => {
    const { rate, p50, p99, busy, cpu } = medianOf(measurementsOf(i));
    const costs = measurementsOf(i).map((measurement) => measurement.cpu);
    const ratios = costs.map((cost, round) => cost / (floors[round] as number));
    const ratio = median(ratios);
    return [
      name,
      grouped(rate),
      p50.toFixed(2),
      p99.toFixed(2),
      `${(busy * 100).toFixed(0)}%`,
      grouped(cpu, 1),
      ratio.toFixed(2),
      i === floor ? '' : `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
      // Noise only ever adds CPU time, to the floor as well: on a busy machine this is nearer to the truth.
      i === floor ? '' : (Math.min(...costs) / Math.min(...floors)).toFixed(2),
      aim === undefined ? '' : `${aim.toFixed(1)} ${ratio <= aim ? 'met   ' : 'missed'}`,
    ];
  });
  return tableOf([header, ...rows]);
}

async function run(): Promise<void> {
  const { connections, seconds, rounds } = readOptions();
  const progress = (text: string): void => console.error(`… ${text}`);
  const root = temporaryFolder();
  const folder = (name: string): string => {
    const path = join(root, name);
    mkdirSync(path);
    return path;
  };

  progress('starting on new databases');
  const startEmpty = await timeStarts(Array.from({ length: starts }, (_, i) => folder(`empty-${i}`)));

  progress(`creating ${grouped(leadCount)} leads`);
  const records = folder('records');
  const first = await startServer(records, true);
  const fill = fillWith(leadCount);
  await new Load(first.port, fill, connections).done;
  await first.stop();
  const startFull = await timeStarts(Array.from({ length: starts }, () => records));

  const node = await Child.start('test/bench/floor-node.ts', { observed: true });
  const hono = await Child.start('test/bench/floor-hono.ts', { observed: true });
  const server = await startServer(records, true);
  const sizes = await checkAnswers(server, fill.ids);

  const targets: Target[] = [
    { name: 'floor: node:http', server: node, traffic: getAlways('/') },
    { name: 'floor: Hono', server: hono, traffic: getAlways('/') },
    { name: 'get by id', server, traffic: getLeads(fill.ids), aim: 1.8 },
    { name: 'list of 20 with total', server, traffic: getAlways(leadPath), aim: 8 },
    { name: 'durable create', server, traffic: createLeads(), aim: 4 },
    { name: 'durable patch', server, traffic: patchLeads(fill.ids), aim: 4 },
  ];
  const results: Measurement[][] = [];
  const others = await watchOthers([node, hono, server]);
  for (let i = 1; i <= rounds; i++) {
    const round: Measurement[] = [];
    for (const target of targets) {
      progress(`round ${i} of ${rounds}: ${target.name}`);
      round.push(await measure(target, { connections, seconds, warmUp }));
    }
    results.push(round);
  }
  const othersShare = await others();
  const { body: end } = await ask<{ total: number }>(server, `${leadPath}?limit=1`);
  const { memory } = await server.usage();
  await Promise.all([node, hono, server].map((child) => child.stop()));

  const tmpfs = 0x01021994;
  const disk = statfsSync(root).type === tmpfs ? `${tmpdir()} (in memory: nothing is durable there)` : tmpdir();
  console.log(
    [
      `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} cores, ${process.platform} ${process.arch}, ` +
        `Node ${process.versions.node}, database in ${disk}`,
      `${grouped(leadCount)} leads of ${sizes}; floors answer 1,024 bytes`,
      `${connections} connections, each with one request under way; medians of ${rounds} rounds of ${seconds} s each`,
      `Other programs had ${(othersShare * 100).toFixed(0)}% of the machine meanwhile` +
        `${othersShare > quiet ? ': too much for reliable numbers, repeat it when the machine is idle.' : '.'}`,
      '',
      report(targets, results, 1),
      '',
      `Start to first answer   ${startEmpty.toFixed(0)} ms with a new database, ` +
        `${startFull.toFixed(0)} ms with ${grouped(leadCount)} leads (medians of ${starts})`,
      `Resident memory         ${grouped(memory / 2 ** 20)} MiB at the end, with ${grouped(end.total)} leads`,
    ].join('\n'),
  );
}

try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
