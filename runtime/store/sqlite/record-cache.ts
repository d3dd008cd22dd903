import { LRUCache } from 'lru-cache';

/** Characters of the cached JSON, and of one record's. */
const maxCharacters = 32 * 1024 * 1024;
const maxRecordCharacters = 16_384;

/** Hashes of recently read ids: about as many as the cache can hold records. */
const recentIds = 32_768;

interface CachedRecord {
  /** An id must not be found under the path of another resource. */
  readonly table: string;
  readonly json: string;
}

/** A cache of records' JSON. A record is admitted at its second read: random reads of a large table cost only a hash. */
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

  /** Offers a record that was read from the database. */
  offer(table: string, id: string, json: string): void {
    const hash = hashOf(id);
    const slot = hash & (recentIds - 1);
    if (this.#recent[slot] === hash) this.#records.set(id, { table, json });
    else this.#recent[slot] = hash;
  }

  delete(id: string): void {
    this.#records.delete(id);
  }

  clear(): void {
    this.#records.clear();
  }
}

/** A hash of the random end of an id. */
function hashOf(id: string): number {
  let hash = 0;
  for (let i = Math.max(0, id.length - 8); i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) | 0;
  return hash;
}
