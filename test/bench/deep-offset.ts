import type { Child } from './child.ts';
import { leadPath } from './leads.ts';
import { Load } from './load.ts';
import { percentile } from './measure.ts';
import type { Random } from './random.ts';
import { getAlways, getLeads } from './traffic.ts';

/** Clients that read beside the one that lists. */
const readers = 4;

/** Latencies in milliseconds. */
export interface DeepOffset {
  readonly listP50: number;
  readonly listMax: number;
  /** The longest of the gets while there is no list. */
  readonly getMaxAlone: number;
  readonly getP50: number;
  readonly getMax: number;
}

/** The offset of the deep page: 900,000 of a million. */
export const deepOffsetOf = (rows: number): number => Math.floor(rows * 0.9);

/** Lists a page far behind, one request after the other, while others get single leads. */
export async function measureDeepOffset(
  server: Child,
  rows: number,
  seconds: number,
  random: Random,
): Promise<DeepOffset> {
  const gets = new Load(server.port, getLeads(rows, random), readers);
  await gets.run(200);
  gets.takeLatencies();
  await gets.run(seconds * 500);
  const alone = gets.takeLatencies().toSorted();

  const list = new Load(server.port, getAlways(`${leadPath}?offset=${deepOffsetOf(rows)}`), 1);
  await list.run(seconds * 1000);
  await list.stop();
  const beside = gets.takeLatencies().toSorted();
  const lists = list.takeLatencies().toSorted();
  await gets.stop();
  return {
    listP50: percentile(lists, 0.5),
    listMax: percentile(lists, 1),
    getMaxAlone: percentile(alone, 1),
    getP50: percentile(beside, 0.5),
    getMax: percentile(beside, 1),
  };
}
