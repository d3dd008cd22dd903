import { readdirSync, statSync } from 'node:fs';

import { usageOf } from '../bench/processes.ts';

const mebibyte = 1_048_576;

/** A figure that must not grow while a server is in use. */
interface Level {
  readonly name: string;
  readonly unit: string;
  /** How much it may seem to grow in the whole time that is judged: it goes up and down. */
  readonly allowance: number;
  /** As it is now; undefined where it cannot be seen or is not there. */
  read(pid: number, databaseUrl: string): number | undefined;
}

function descriptorsOf(pid: number): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return undefined;
  }
}

/** The size of the write-ahead log of an SQLite database, in bytes. */
function walOf(databaseUrl: string): number | undefined {
  const file = /^sqlite:(.+)/.exec(databaseUrl)?.[1];
  return file === undefined ? undefined : statSync(`${file}-wal`, { throwIfNoEntry: false })?.size;
}

const inMebibytes = (bytes: number | undefined): number | undefined => bytes && bytes / mebibyte;

export const levels: readonly Level[] = [
  { name: 'memory', unit: 'MiB', allowance: 24, read: (pid) => inMebibytes(usageOf(pid).memory) },
  { name: 'descriptors', unit: '', allowance: 8, read: descriptorsOf },
  { name: 'WAL', unit: 'MiB', allowance: 8, read: (_, databaseUrl) => inMebibytes(walOf(databaseUrl)) },
];

/** A level at a time, in minutes. */
export interface Sample {
  readonly minute: number;
  readonly value: number;
}

/** The slope of the line that fits samples best (least squares), in units a minute; 0 for fewer than two. */
export function slopeOf(samples: readonly Sample[]): number {
  const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const minute = meanOf(samples.map((sample) => sample.minute));
  const value = meanOf(samples.map((sample) => sample.value));
  const sumOf = (term: (sample: Sample) => number): number => samples.reduce((sum, sample) => sum + term(sample), 0);
  const spread = sumOf((sample) => (sample.minute - minute) ** 2);
  return spread === 0 || samples.length === 0
    ? 0
    : sumOf((sample) => (sample.minute - minute) * (sample.value - value)) / spread;
}
