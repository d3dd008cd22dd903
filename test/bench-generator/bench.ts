// Measures the generator beside a bare program with ts-morph: `npm run bench:generator -- --help` names the options.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { projectRoot } from '../bench/child.ts';
import { median } from '../bench/measure.ts';
import { grouped, tableOf } from '../bench/table.ts';
import { measureSaves, type Save, startServer } from './dev-server.ts';
import { BenchProject } from './project.ts';

const usage = `Usage: npm run bench:generator -- [options]
  --sizes 27,270,1000   numbers of resources
  --rounds 5            how often each run is measured; medians are printed
  --saves 5             how many saves are measured; 0 for none
  --against FOLDER      another checkout of the project, measured in the same rounds`;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '27,270,1000' },
    rounds: { type: 'string', default: '5' },
    saves: { type: 'string', default: '5' },
    against: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit();
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new Error(`--${name} must be a whole number from ${least} on, not "${text}".\n${usage}`);
}

const sizes = values.sizes.split(',').map((text) => wholeNumber('sizes', text, 1));
const rounds = wholeNumber('rounds', values.rounds, 1);
const saves = wholeNumber('saves', values.saves, 0);

/** The checkouts that are measured, by what the report calls them. */
const checkouts = new Map([['this checkout', projectRoot]]);
if (values.against !== undefined) checkouts.set('the other one', resolve(values.against));

const floorProgram = fileURLToPath(new URL('floor.ts', import.meta.url));
const prepareNode = join(projectRoot, 'runtime/commands/prepare-node.cjs');

/** Runs Node to its end. @returns milliseconds. @throws Error with its output where it fails. */
function timed(cwd: string, args: readonly string[]): number {
  const begin = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  const elapsed = performance.now() - begin;
  if (status !== 0) throw new Error(`node ${args.join(' ').slice(0, 200)} failed:\n${stdout}${stderr}`);
  return elapsed;
}

const runs = ['cold', 'unchanged', 'check'] as const;
type Times = Record<(typeof runs)[number], number[]>;

interface Result {
  readonly resources: number;
  readonly node: number[];
  readonly floor: number[];
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
  const floorTime = median(floor);
  const row = (name: string, time: number): string[] => [
    `  ${name}`,
    grouped(time),
    (time / floorTime).toFixed(2),
    (time / median(node)).toFixed(1),
  ];
  return tableOf([
    [`${grouped(resources)} resources`, 'ms', '× ts-morph floor', '× node -e 0'],
    row('node -e 0', median(node)),
    row('ts-morph floor', floorTime),
    ...ofCheckouts.flatMap(({ name, times, saves: measured, start }) => [
      ...runs.map((run) => row(`${run}, ${name}`, median(times[run]))),
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
