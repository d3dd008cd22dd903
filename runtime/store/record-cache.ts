import { LRUCache } from 'lru-cache';

/** Characters of finished texts that are kept in memory, and of the longest of them. */
const rememberedCharacters = 32 * 1024 * 1024;
const longestText = 16_384;

/** The finished text of a record, under its id. */
interface Remembered {
  /** An id that is asked for under another resource's path is not found there. */
  readonly table: string;
  readonly text: string;
}

/** About as many ids as there is room for texts of records. */
const recentIds = 32_768;

/** After so many reads it is decided anew whether texts are worth their memory. */
const readsPerDecision = 8_192;

/**
 * Remembers finished texts of records where the same ones are read again and again. Where reads are spread over more
 * records than there is room for, that would cost memory and time for nothing; so the hashes of ids that were read lately
 * are kept first, and the texts only while half of the reads find themselves among them.
 */
export class RecordCache {
  readonly #texts = new LRUCache<string, Remembered>({
    maxSize: rememberedCharacters,
    maxEntrySize: longestText,
    sizeCalculation: ({ text }) => text.length,
  });
  readonly #recent = new Int32Array(recentIds);
  #reads = 0;
  #repeated = 0;
  #isUseful = false;

  /** Takes note of a read. @returns whether texts are worth remembering now. */
  noteRead(id: string): boolean {
    const hash = hashOf(id);
    const place = hash & (recentIds - 1);
    if (this.#recent[place] === hash) this.#repeated += 1;
    else this.#recent[place] = hash;
    this.#reads += 1;
    if (this.#reads === readsPerDecision) {
      this.#isUseful = this.#repeated * 2 > this.#reads;
      if (!this.#isUseful) this.#texts.clear();
      this.#reads = 0;
      this.#repeated = 0;
    }
    return this.#isUseful;
  }

  get(table: string, id: string): string | undefined {
    const known = this.#texts.get(id);
    return known?.table === table ? known.text : undefined;
  }

  set(table: string, id: string, text: string): void {
    this.#texts.set(id, { table, text });
  }

  delete(id: string): void {
    this.#texts.delete(id);
  }

  clear(): void {
    this.#texts.clear();
  }
}

/** Of the end of an id, which is random. */
function hashOf(id: string): number {
  let hash = 0;
  for (let i = Math.max(0, id.length - 8); i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) | 0;
  return hash;
}
