import { type DeepOffset, deepOffsetOf } from './deep-offset.ts';
import { type FirstAnswers, newReaders, newWriters, writers } from './first-answers.ts';
import { type Measurement, median } from './measure.ts';
import { againstRelease } from './release.ts';
import { cacheNote, operationsTable } from './operations-report.ts';
import type { Results, SizeResult } from './sizes.ts';
import { grouped, judged, tableOf } from './table.ts';

/** How much slower a list of the largest table may be than one of the smallest. */
const flatAim = 1.2;
/** Bounds of SQLite's server at any size: resident bytes, and milliseconds to its first answer. */
const memoryAim = 150e6;
const startAim = 400;
/** Milliseconds that a deep page may hold up others. */
const blockingAim = 20;

/** The results of one engine as plain text; `aims` if the aims of SQLite hold. */
export function reportOf(engine: string, results: Results, aims: boolean): string {
  return [
    operationsTable(results, aims, againstRelease(engine, results)),
    ...(results.sizes.length > 1 ? [flatnessTable(results)] : []),
    ...(results.deepOffsets.length > 0 ? [deepOffsetTable(results)] : []),
    ...(results.firstAnswers.length > 0 ? [firstAnswersTable(results)] : []),
    sizesTable(results.sizes, aims),
    `${cacheNote}\n× release: CPU of server and database, as a multiple of the last release's; both are divided by the floor's.\nCreates make the tables grow while they are measured.`,
  ].join('\n\n');
}

/** How the largest table compares with the smallest, each round by itself. */
function flatnessTable({ targets, rounds, sizes }: Results): string {
  const smallest = Math.min(...sizes.map(({ rows }) => rows));
  const largest = Math.max(...sizes.map(({ rows }) => rows));
  const cost = ({ cpu, databaseCpu }: Measurement): number => cpu + (Number.isNaN(databaseCpu) ? 0 : databaseCpu);
  const lines = targets.flatMap(({ name, connections, table }, large) => {
    if (table?.rows !== largest) return [];
    const small = targets.findIndex(
      (target) => target.name === name && target.connections === connections && target.table?.rows === smallest,
    );
    const pairs = rounds.map((round) => [round[large], round[small]] as [Measurement, Measurement]);
    const cpu = median(pairs.map(([of, to]) => cost(of) / cost(to)));
    const time = median(pairs.map(([of, to]) => to.rate / of.rate));
    return [
      [
        name,
        String(connections),
        cpu.toFixed(2),
        time.toFixed(2),
        table.operation.flat ? judged(Math.max(cpu, time), flatAim, 1) : '',
      ],
    ];
  });
  const title = `${grouped(largest)} rows against ${grouped(smallest)}`;
  return tableOf([[title, 'clients', '× CPU', '× time', 'aim of both'], ...lines]);
}

function deepOffsetTable({ sizes, deepOffsets }: Results): string {
  const rows = Math.max(...sizes.map((size) => size.rows));
  const all = (name: keyof DeepOffset): number[] => deepOffsets.map((deep) => deep[name]);
  const longest = Math.max(...all('getMax'));
  return tableOf([
    [
      'Deep offset, beside gets',
      'list p50 ms',
      'max ms',
      'get p50 ms',
      'max ms',
      'max without lists',
      'aim of get max',
    ],
    [
      `offset ${grouped(deepOffsetOf(rows))} of ${grouped(rows)}`,
      median(all('listP50')).toFixed(2),
      Math.max(...all('listMax')).toFixed(1),
      median(all('getP50')).toFixed(2),
      longest.toFixed(1),
      Math.max(...all('getMaxAlone')).toFixed(1),
      judged(longest, blockingAim, 0),
    ],
  ]);
}

function firstAnswersTable({ firstAnswers }: Results): string {
  const all = (name: keyof FirstAnswers): string => median(firstAnswers.map((one) => one[name])).toFixed(0);
  return tableOf([
    ['First answers of new connections', 'p50 ms', 'max ms'],
    [`${newReaders} that read, beside ${writers} that write`, all('getP50'), all('getMax')],
    [`${newWriters} that go on writing`, all('patchP50'), all('patchMax')],
  ]);
}

function sizesTable(sizes: readonly SizeResult[], aims: boolean): string {
  const megabytes = (bytes: number): string => grouped(bytes / 1e6, 1);
  const header = [
    'Server',
    'first answer ms',
    ...(aims ? ['aim'] : []),
    'memory MB at start',
    'after a round',
    'at the end',
    'growth',
    'peak',
    ...(aims ? ['aim'] : []),
    'rows at the end',
  ];
  const lines = sizes.map(({ rows, start, memory: { begin, firstRound, end }, rowsAtEnd }) => [
    `${grouped(rows)} rows`,
    start.toFixed(0),
    ...(aims ? [judged(start, startAim, 0)] : []),
    megabytes(begin.memory),
    megabytes(firstRound.memory),
    megabytes(end.memory),
    megabytes(end.memory - firstRound.memory),
    megabytes(end.peak),
    ...(aims ? [judged(end.memory / 1e6, memoryAim / 1e6, 0)] : []),
    grouped(rowsAtEnd),
  ]);
  return tableOf([header, ...lines]);
}
