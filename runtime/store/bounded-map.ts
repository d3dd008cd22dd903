/** A map of at most so many entries: the oldest one makes room for a new one. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: K, value: V): this {
    if (this.size >= this.#max && !this.has(key)) this.delete(this.keys().next().value as K);
    return super.set(key, value);
  }
}
