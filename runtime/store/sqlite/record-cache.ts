import { LRUCache } from 'lru-cache';

/** Characters of records' JSON that are cached, and of the longest that is. */
const maxCharacters = 32 * 1024 * 1024;
const maxRecordCharacters = 16_384;

/** Hashes of ids that were read lately: about as many as there is room for records. */
const recentIds = 32_768;

interface CachedRecord {
  /** An id that is asked for under another resource's path is not found there. */
  readonly table: string;
  readonly json: string;
}

/**
 * A cache of records' JSON. A record is admitted when it is read a second time: where reads are spread over more records
 * than there is room for, each of them costs a hash.
 */
export class RecordCache {
  readonly #records = new LRUCache<string, CachedRecord>({
    maxSize: maxCharacters,
    maxEntrySize: maxRecordCharacters,
    sizeCalculation: ({ json }) => json.length,
  });
  readonly #recent = new Int32Array(recentIds);

  get(table: string, id: string): string | undefined {
    const cached = this.#records.get(id);
    return cached?.table === table ? cached.json : undefined;
  }

  /** Offers what was read from the database. */
  offer(table: string, id: string, json: string): void {
    const hash = hashOf(id);
    const place = hash & (recentIds - 1);
    if (this.#recent[place] === hash) this.#records.set(id, { table, json });
    else this.#recent[place] = hash;
  }

  delete(id: string): void {
    this.#records.delete(id);
  }

  clear(): void {
    this.#records.clear();
  }
}

/** A hash of the end of an id, which is random. */
function hashOf(id: string): number {
  let hash = 0;
  for (let i = Math.max(0, id.length - 8); i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) | 0;
  return hash;
}
