import { readStored, store } from './stored.ts';

/** A record that was opened in this browser. Its name is not kept: the service tells it to keys that may read it. */
export interface RecentRecord {
  /** The route of its resource. */
  readonly route: string;
  readonly id: string;
}

/** So many are kept, the last one first. */
const maxKept = 20;

const isRecent = (value: unknown): value is RecentRecord => {
  const { route, id } = (value ?? {}) as Partial<RecentRecord>;
  return typeof route === 'string' && typeof id === 'string';
};

/** The records that were opened with a key, the last one first. @param actor the actor of the key's events */
export function recentRecords(actor: string): readonly RecentRecord[] {
  const stored = readStored('recent', actor);
  return Array.isArray(stored) ? stored.filter(isRecent) : [];
}

/** Keeps that a record was opened, if the browser keeps anything. */
export function keepRecent(actor: string, { route, id }: RecentRecord): void {
  const others = recentRecords(actor).filter((other) => other.route !== route || other.id !== id);
  store([{ route, id }, ...others].slice(0, maxKept), 'recent', actor);
}
