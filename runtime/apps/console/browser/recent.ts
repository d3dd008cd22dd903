/** A record that was opened in this browser. Its name is not kept: the service tells it to keys that may read it. */
export interface RecentRecord {
  /** The route of its resource. */
  readonly route: string;
  readonly id: string;
}

/** So many are kept, the last one first. */
const maxKept = 20;

/** The records of each key are kept apart, and so are those of services that share an origin. */
const storageName = (actor: string): string => `console-recent ${location.pathname} ${actor}`;

const isRecent = (value: unknown): value is RecentRecord => {
  const { route, id } = (value ?? {}) as Partial<RecentRecord>;
  return typeof route === 'string' && typeof id === 'string';
};

/** The records that were opened with a key, the last one first. @param actor the actor of the key's events */
export function recentRecords(actor: string): readonly RecentRecord[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageName(actor)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecent) : [];
  } catch {
    return [];
  }
}

/** Keeps that a record was opened, if the browser keeps anything. */
export function keepRecent(actor: string, { route, id }: RecentRecord): void {
  const others = recentRecords(actor).filter((other) => other.route !== route || other.id !== id);
  try {
    localStorage.setItem(storageName(actor), JSON.stringify([{ route, id }, ...others].slice(0, maxKept)));
  } catch {
    // Nothing depends on it.
  }
}
