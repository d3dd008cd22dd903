import { readdirSync, statSync } from 'node:fs';

import { usageOf } from '../bench/processes.ts';

const mebibyte = 1_048_576;

/** The server that is watched. */
interface Watched {
  readonly pid: number;
  readonly live: number | undefined;
}

/** A figure that must not grow while a server is in use. */
export interface Level {
  readonly name: string;
  readonly unit: string;
  /** How much it may seem to grow in the whole time that is judged: it goes up and down. */
  readonly allowance: number;
  /** Up to here it may grow as it likes. */
  readonly harmless?: number;
  /** As it is now; undefined where it cannot be seen or is not there. */
  read(server: Watched, databaseUrl: string): number | undefined;
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
  // A leak of 600 bytes a request is found in a minute.
  { name: 'live memory', unit: 'MiB', allowance: 8, read: ({ live }) => inMebibytes(live) },
  // For leaks outside of V8. For some minutes it grows because pieces of freed memory are too small for what follows.
  { name: 'memory', unit: 'MiB', allowance: 24, harmless: 384, read: ({ pid }) => inMebibytes(usageOf(pid).memory) },
  { name: 'descriptors', unit: '', allowance: 8, read: ({ pid }) => descriptorsOf(pid) },
  { name: 'WAL', unit: 'MiB', allowance: 8, harmless: 64, read: (_, databaseUrl) => inMebibytes(walOf(databaseUrl)) },
];

/** A level at a time, in minutes. */
export interface Sample {
  readonly minute: number;
  readonly value: number;
}

/** How much a level grows in the time of its samples, by the line that fits them. */
export function growthOf(samples: readonly Sample[]): number {
  const minutes = samples.map(({ minute }) => minute);
  return samples.length === 0 ? 0 : slopeOf(samples) * (Math.max(...minutes) - Math.min(...minutes));
}

/** The slope of the line that fits samples best (least squares), in units a minute; 0 for fewer than two. */
function slopeOf(samples: readonly Sample[]): number {
  const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const minute = meanOf(samples.map((sample) => sample.minute));
  const value = meanOf(samples.map((sample) => sample.value));
  const sumOf = (term: (sample: Sample) => number): number => samples.reduce((sum, sample) => sum + term(sample), 0);
  const spread = sumOf((sample) => (sample.minute - minute) ** 2);
  return spread === 0 || samples.length === 0
    ? 0
    : sumOf((sample) => (sample.minute - minute) * (sample.value - value)) / spread;
}
