import { writeFileSync } from 'node:fs';

/** The clock of servers, ahead of the real one by as much as a test says. */
export class Clock {
  readonly #file: string;

  /** @param file where it is kept */
  constructor(file: string) {
    this.#file = file;
    this.setAhead(0);
  }

  /** The environment of a server that has this clock. */
  get env(): Record<string, string> {
    const code = `
      import { readFileSync } from 'node:fs';
      const now = Date.now;
      Date.now = () => now() + Number(readFileSync(${JSON.stringify(this.#file)}, 'utf8'));`;
    return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` };
  }

  setAhead(milliseconds: number): void {
    writeFileSync(this.#file, String(milliseconds));
  }
}
