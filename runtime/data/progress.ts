import { progressInterval } from './limits.ts';
import { counted } from '../kernel/model/text.ts';

const bar = 24; // characters

/** How far something is: a line that is written anew on a terminal, and nothing anywhere else. */
export class Progress {
  readonly #label: string;
  readonly #unit: string;
  readonly #begin = performance.now();
  readonly #isShown = process.stderr.isTTY === true;
  #last = -Infinity;

  /** @param label what is being done @param unit of the things that are counted, like `row` */
  constructor(label: string, unit = 'row') {
    this.#label = label;
    this.#unit = unit;
  }

  /** Seconds since the beginning. */
  get seconds(): number {
    return (performance.now() - this.#begin) / 1000;
  }

  /**
   * @param count how many are done; without it, only the label is shown
   * @param part how much of it is done, from 0 to 1, if that is known
   */
  show(count?: number, part?: number): void {
    if (!this.#isShown || performance.now() - this.#last < progressInterval) return;
    this.#last = performance.now();
    const filled = Math.round(Math.min(part ?? 0, 1) * bar);
    const shown = `[${'#'.repeat(filled)}${'.'.repeat(bar - filled)}] ${String(Math.floor((part ?? 0) * 100)).padStart(3)} %  `;
    const done = count === undefined ? '…' : this.describe(count);
    process.stderr.write(`\r\x1B[K${this.#label}  ${part === undefined ? '' : shown}${done}`);
  }

  /** Shows the line until some work is over. */
  async during<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      this.clear();
    }
  }

  /** Takes the line away. */
  clear(): void {
    if (this.#isShown) process.stderr.write('\r\x1B[K');
  }

  /** Like `12,000 rows, 8,000 a second`. */
  describe(count: number): string {
    return `${counted(count, this.#unit)}, ${Math.round(count / Math.max(this.seconds, 0.001)).toLocaleString('en')} a second`;
  }
}
