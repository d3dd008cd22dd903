// Measures the generator beside a bare program with ts-morph: `npm run bench:generator -- --help` names the options.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { usageError } from '../../runtime/commands/arguments.ts';
import { projectRoot } from '../bench/child.ts';
import { median } from '../bench/measure.ts';
import { grouped, tableOf } from '../bench/table.ts';
import { measureSaves, type Save, startServer } from './dev-server.ts';
import { readCommandLine } from '../support/command-line.ts';
import { BenchProject } from './project.ts';

const text = { type: 'string' } as const;

const command = {
  help: `Measures the generator beside a bare program with ts-morph.

Usage: npm run bench:generator -- [options]

Options:
  --sizes N,N       numbers of resources (default: 27,270,1000)
  --rounds N        how often each run is measured; medians are printed (default: 5)
  --saves N         how many saves are measured; 0 for none (default: 5)
  --against FOLDER  another checkout of the project, measured in the same rounds
  --help, -h        prints this

Examples:
  npm run bench:generator -- --sizes 27 --against ../before
    compares two checkouts
`,
  options: {
    sizes: { ...text, default: '27,270,1000' },
    rounds: { ...text, default: '5' },
    saves: { ...text, default: '5' },
    against: text,
  },
} as const;

const { sizes, rounds, saves, against } = await readCommandLine(command, (values) => {
  const whole = (name: string, given: string, least: number): number => {
    const value = Number(given);
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw usageError(command.help, `--${name} must be a whole number from ${least} on, not "${given}".`);
  };
  return {
    sizes: values.sizes.split(',').map((given) => whole('sizes', given, 1)),
    rounds: whole('rounds', values.rounds, 1),
    saves: whole('saves', values.saves, 0),
    against: values.against,
  };
});

/** The checkouts that are measured, by what the report calls them. */
const checkouts = new Map([['this checkout', projectRoot]]);
if (against !== undefined) checkouts.set('the other one', resolve(against));

const floorProgram = fileURLToPath(new URL('floor.ts', import.meta.url));
const prepareNode = join(projectRoot, 'runtime/cli/prepare-node.cjs');

/** The duration of a run, in milliseconds. */
interface Time {
  readonly wall: number;
  /** CPU time, user and system; NaN where the system does not tell that of a process that has ended. */
  readonly cpu: number;
}

/** CPU time of all processes that this one has waited for, in milliseconds: Linux counts it in hundredths of a second. */
function cpuOfEnded(): number {
  if (!existsSync('/proc/self/stat')) return NaN;
  const [user = NaN, system = NaN] = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(13, 15)
    .map(Number);
  return (user + system) * 10;
}

/** Runs Node to its end. @throws Error with its output where it fails. */
function timed(cwd: string, args: readonly string[]): Time {
  const cpuBefore = cpuOfEnded();
  const begin = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  const wall = performance.now() - begin;
  if (status !== 0) throw new Error(`node ${args.join(' ').slice(0, 200)} failed:\n${stdout}${stderr}`);
  return { wall, cpu: cpuOfEnded() - cpuBefore };
}

const runs = ['cold', 'unchanged', 'check'] as const;
type Times = Record<(typeof runs)[number], Time[]>;

interface Result {
  readonly resources: number;
  readonly node: Time[];
  readonly floor: Time[];
  readonly ofCheckouts: readonly { readonly name: string; readonly times: Times; saves: Save[]; start: number }[];
}

/** Measures everything once in each round, one after the other, so that a slow moment of the machine meets all alike. */
async function measure(resources: number): Promise<Result> {
  using stack = new DisposableStack();
  const projects = [...checkouts].map(([name, checkout]) => ({
    name,
    project: stack.use(new BenchProject(resources, checkout)),
    times: { cold: [], unchanged: [], check: [] } as Times,
    saves: [] as Save[],
    start: NaN,
  }));
  const result: Result = { resources, node: [], floor: [], ofCheckouts: projects };
  let lengths: string | undefined;
  // The first round fills the caches of compiled code, and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    // A signal is seen between two rounds.
    await setImmediate();
    for (const { project, times } of projects) {
      const { root } = project;
      project.clear();
      const cold = timed(root, project.nodeArguments('generate'));
      lengths ??= JSON.stringify(project.fileSizes());
      const unchanged = timed(root, project.nodeArguments('generate'));
      const check = timed(root, project.nodeArguments('generate', '--check'));
      if (round === 0) continue;
      times.cold.push(cold);
      times.unchanged.push(unchanged);
      times.check.push(check);
    }
    const { root } = projects[0]!.project;
    const floor = timed(root, ['-r', prepareNode, floorProgram, join(root, 'floor'), lengths ?? '[]']);
    rmSync(join(root, 'floor'), { recursive: true });
    const node = timed(root, ['-e', '0']);
    if (round > 0) {
      result.floor.push(floor);
      result.node.push(node);
    }
  }
  for (const checkout of projects) {
    if (saves === 0) continue;
    checkout.saves = await measureSaves(checkout.project, saves);
    const starts = [];
    for (let round = 0; round <= saves; round += 1) starts.push(await startServer(checkout.project));
    checkout.start = median(starts.slice(1));
  }
  return result;
}

function reportOf({ resources, node, floor, ofCheckouts }: Result): string {
  const wallOf = (times: readonly Time[]): number => median(times.map(({ wall }) => wall));
  const cpuOf = (times: readonly Time[]): number => median(times.map(({ cpu }) => cpu));
  const shown = (value: number, digits = 0): string => (Number.isNaN(value) ? '' : grouped(value, digits));
  const row = (name: string, wall: number, cpu = NaN): string[] => [
    `  ${name}`,
    shown(wall),
    shown(wall / wallOf(floor), 2),
    shown(wall / wallOf(node), 1),
    shown(cpu),
    shown(cpu / cpuOf(floor), 2),
  ];
  const rowOf = (name: string, times: readonly Time[]): string[] => row(name, wallOf(times), cpuOf(times));
  return tableOf([
    [`${grouped(resources)} resources`, 'ms', '× ts-morph floor', '× node -e 0', 'CPU ms', '× ts-morph floor'],
    rowOf('node -e 0', node),
    rowOf('ts-morph floor', floor),
    ...ofCheckouts.flatMap(({ name, times, saves: measured, start }) => [
      ...runs.map((run) => rowOf(`${run}, ${name}`, times[run])),
      ...(measured.length > 0
        ? [
            row(`save until on disk, ${name}`, median(measured.map(({ onDisk }) => onDisk))),
            row(`save until serving, ${name}`, median(measured.map((save) => save.serving))),
            row(`the server's start alone, ${name}`, start),
          ]
        : []),
    ]),
  ]);
}

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
console.log(
  `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} cores, Node ${process.versions.node}; medians of ` +
    `${rounds} rounds. Cold: nothing is generated yet, compiled code is cached.\n`,
);
for (const size of sizes) console.log(`${reportOf(await measure(size))}\n`);
