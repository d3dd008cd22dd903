/** Messages that are told apart; of more, those that follow are counted as one. */
const maxMessages = 50;

const interval = 1_000; // milliseconds

interface Repeat<Event> {
  event: Event;
  count: number;
}

/**
 * Thins out floods: of events with the same key, the first is emitted at once, and then one a second, with the number of
 * those that it stands for.
 */
export class Repeats<Event> {
  readonly #emit: (event: Event, count: number) => void;
  readonly #repeats = new Map<string, Repeat<Event>>();

  constructor(emit: (event: Event, count: number) => void) {
    this.#emit = emit;
  }

  note(key: string, event: Event): void {
    const bounded = this.#repeats.size < maxMessages || this.#repeats.has(key) ? key : '';
    const repeat = this.#repeats.get(bounded);
    if (repeat) {
      repeat.event = event;
      repeat.count++;
      return;
    }
    if (this.#repeats.size === 0) setTimeout(() => this.#sweep(), interval).unref();
    this.#repeats.set(bounded, { event, count: 0 });
    this.#emit(event, 1);
  }

  /** Emits what was counted since the last event. */
  flush(): void {
    for (const repeat of this.#repeats.values()) {
      if (repeat.count > 0) this.#emit(repeat.event, repeat.count);
      repeat.count = 0;
    }
  }

  #sweep(): void {
    // Forget events that did not come again.
    for (const [key, { count }] of this.#repeats) if (count === 0) this.#repeats.delete(key);
    this.flush();
    if (this.#repeats.size > 0) setTimeout(() => this.#sweep(), interval).unref();
  }
}
