/** Waiting work by its owner. Owners take turns, so that one with very much does not hold up the others for long. */
export class Turns<T> {
  /** In the order of the next turns. */
  readonly #waiting = new Map<object, T[]>();
  #length = 0;

  /** The number of all that wait. */
  get length(): number {
    return this.#length;
  }

  add(owner: object, item: T): void {
    const own = this.#waiting.get(owner);
    if (own) own.push(item);
    else this.#waiting.set(owner, [item]);
    this.#length++;
  }

  /** Takes the first item of the owner whose turn it is. */
  next(): T | undefined {
    for (const [owner, own] of this.#waiting) {
      const item = own.shift();
      this.#waiting.delete(owner);
      if (own.length > 0) this.#waiting.set(owner, own);
      this.#length--;
      return item;
    }
    return undefined;
  }

  delete(owner: object, item: T): void {
    const own = this.#waiting.get(owner) ?? [];
    const at = own.indexOf(item);
    if (at === -1) return;
    own.splice(at, 1);
    if (own.length === 0) this.#waiting.delete(owner);
    this.#length--;
  }
}
