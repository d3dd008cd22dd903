import type { Attack } from './attack.ts';
import { mebibyte } from './sizes.ts';
import type { Outcome } from './trial.ts';

const widths = [24, 7, 8, 8, 8, 9, 6, 8, 8] as const;

const row = (cells: readonly string[]): string =>
  cells.map((cell, n) => (n === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[n] ?? 0))).join('  ');

/** Latencies in milliseconds; what is allowed stands beside them. */
export const heading = [
  row(['', 'alone', 'under', 'allowed', 'longest', 'allowed', 'MiB', 'rounds', 'seconds']),
  row(['attack', 'p99', 'p99', 'p99', 'stall', 'stall', 'peak']),
].join('\n');

/** An attack and what it has done, in a line. */
export function lineOf({ name }: Attack, outcome: Outcome): string {
  const { before, under, allowed, memory, rounds, duration, statuses, violations } = outcome;
  const figures = [
    name,
    before.p99.toFixed(1),
    under.p99.toFixed(1),
    allowed.p99.toFixed(0),
    under.longest.toFixed(0),
    allowed.longest.toFixed(0),
    memory === 0 ? '-' : (memory / mebibyte).toFixed(0),
    String(rounds),
    (duration / 1_000).toFixed(1),
  ];
  const answers = [...statuses].toSorted().map(([status, count]) => `${count} x ${status}`);
  const verdict = violations.length === 0 ? 'held' : `VIOLATED: ${violations.join('; ')}`;
  return `${row(figures)}  ${verdict} (${answers.join(', ') || 'no answers'})`;
}
