/**
 * Items that wait, by groups (organizations, or tables) and the keys in them. Groups take turns, and so do the keys of each:
 * a key that asks for very much delays an item of another key by one item of its own.
 */
export class Turns<Group, Item> {
  /** Those whose turn is next come first. */
  readonly #waiting = new Map<Group, Map<object, Set<Item>>>();
  #size = 0;

  /** The number of all that wait. */
  get size(): number {
    return this.#size;
  }

  /** The number of items of a key that wait. */
  sizeOf(group: Group, key: object): number {
    return this.#waiting.get(group)?.get(key)?.size ?? 0;
  }

  add(group: Group, key: object, item: Item): void {
    const keys = this.#waiting.getOrInsertComputed(group, () => new Map<object, Set<Item>>());
    keys.getOrInsertComputed(key, () => new Set<Item>()).add(item);
    this.#size++;
  }

  /** Takes the item whose turn it is, among the groups that may be served. */
  next(mayServe: (group: Group) => boolean = () => true): Item | undefined {
    for (const [group, keys] of this.#waiting) {
      if (!mayServe(group)) continue;
      // Neither of them is empty.
      const [key, items] = keys.entries().next().value as [object, Set<Item>];
      const item = items.values().next().value as Item;
      this.delete(group, key, item);
      moveBack(keys, key);
      moveBack(this.#waiting, group);
      return item;
    }
    return undefined;
  }

  delete(group: Group, key: object, item: Item): void {
    const keys = this.#waiting.get(group);
    const items = keys?.get(key);
    if (!keys || !items?.delete(item)) return;
    this.#size--;
    if (items.size === 0) keys.delete(key);
    if (keys.size === 0) this.#waiting.delete(group);
  }
}

/** Moves an entry, if it is still there, behind all others. */
function moveBack<K, V>(map: Map<K, V>, key: K): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}
