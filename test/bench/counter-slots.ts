import type { Client } from 'pg';

import type { Engine } from './databases/database.ts';
import { connectTo } from './databases/postgres.ts';
import { median, percentile } from './measure.ts';
import type { Options } from './options.ts';
import { type Random, randomFrom } from './random.ts';
import { grouped, tableOf } from './table.ts';

/** As many as the store on PostgreSQL has for the records of one table. */
const manySlots = 32;

const body = 'x'.repeat(1024);

const insert = 'insert into record (body) values ($1)';
const insertAndCount =
  `with written as (${insert}) insert into total values ($2, 1) ` +
  'on conflict (slot) do update set "count" = total."count" + 1';

/**
 * Has writers insert rows of 1 KB and count them, by SQL of the benchmark's own: to see what it costs that they all
 * count in one row, or in one of several. @returns the report.
 */
export async function measureCounterSlots(
  engine: Engine,
  { connections, seconds, rounds, seed }: Options,
  progress: (text: string) => void,
): Promise<string> {
  const random = randomFrom(seed);
  const database = engine.database('slots');
  await database.create();
  const writers = await Promise.all(Array.from({ length: connections }, () => connectTo(database.url)));
  try {
    await writers[0]?.query('create table record (id bigint generated always as identity primary key, body text)');
    await writers[0]?.query('create table total (slot bigint primary key, "count" bigint not null)');
    const variants = [
      { name: 'no counter', slots: 0 },
      { name: `counter of ${manySlots} slots`, slots: manySlots },
      { name: 'counter of one slot', slots: 1 },
    ];
    const results = variants.map((): Float64Array[] => []);
    for (let i = 1; i <= rounds; i++) {
      for (const [place, { name, slots }] of variants.entries()) {
        progress(`${name}: round ${i} of ${rounds}`);
        results[place]?.push(await write(writers, slots, seconds, random));
      }
    }
    const lines = variants.map(({ name }, place) => {
      const latencies = results[place] ?? [];
      const of = (share: number): string => median(latencies.map((sorted) => percentile(sorted, share))).toFixed(2);
      return [name, grouped(median(latencies.map(({ length }) => length / seconds))), of(0.5), of(0.99)];
    });
    return tableOf([[`${connections} writers of one table`, 'rows/s', 'p50 ms', 'p99 ms'], ...lines]);
  } finally {
    await Promise.all(writers.map((writer) => writer.end()));
  }
}

/** Every writer inserts one row after the other. @returns the latencies in milliseconds, sorted. */
async function write(
  writers: readonly Client[],
  slots: number,
  seconds: number,
  random: Random,
): Promise<Float64Array> {
  const latencies: number[] = [];
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    writers.map(async (writer) => {
      while (performance.now() < end) {
        const begin = performance.now();
        if (slots === 0) await writer.query({ name: 'insert', text: insert, values: [body] });
        else {
          await writer.query({ name: 'count', text: insertAndCount, values: [body, random(slots)] });
        }
        latencies.push(performance.now() - begin);
      }
    }),
  );
  return Float64Array.from(latencies).toSorted();
}
