import type { Attack } from './attack.ts';
import { mebibyte } from './sizes.ts';
import type { Outcome } from './trial.ts';

const widths = [24, 6, 7, 8, 8, 7, 8, 8, 6, 6, 7] as const;

const row = (cells: readonly string[]): string =>
  cells.map((cell, n) => (n === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[n] ?? 0))).join(' ');

/** The figures of an outcome, in milliseconds, MiB and seconds. */
export const heading = [
  'p99 and longest stall of the quiet client in ms; "own": without what other programs had of the processors',
  row(['', 'alone', 'under', 'own', 'allowed', 'under', 'own', 'allowed', 'peak', '', '']),
  row(['attack', 'p99', 'p99', 'p99', 'p99', 'stall', 'stall', 'stall', 'MiB', 'rounds', 'seconds']),
].join('\n');

/** An attack and what it has done, in a line. */
export function lineOf({ name }: Attack, outcome: Outcome): string {
  const { before, under, allowed, memory, rounds, duration, statuses, violations } = outcome;
  const figures = [
    name,
    before.own.p99.toFixed(1),
    under.all.p99.toFixed(1),
    under.own.p99.toFixed(1),
    allowed.p99.toFixed(0),
    under.all.longest.toFixed(0),
    under.own.longest.toFixed(0),
    allowed.longest.toFixed(0),
    memory === 0 ? '-' : (memory / mebibyte).toFixed(0),
    String(rounds),
    (duration / 1_000).toFixed(1),
  ];
  const answers = [...statuses].toSorted().map(([status, count]) => `${count} x ${status}`);
  const verdict = violations.length === 0 ? 'held' : `VIOLATED: ${violations.join('; ')}`;
  return `${row(figures)}  ${verdict} (${answers.join(', ') || 'no answers'})`;
}
