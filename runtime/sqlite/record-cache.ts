import type { TableSql } from '../sql/table-sql.ts';
import type { Json } from '../records/store.ts';

/** Bytes of records' JSON that are cached, and of the longest that is. */
const maxBytes = 32 * 1024 * 1024;
const maxRecordBytes = 16_384;

/** Hashes of recently read ids: about as many as the cache can hold records. */
const recentIds = 32_768;

/** The organization and the table of a record. */
type Owner = Pick<TableSql, 'organization' | 'table'>;

/**
 * A cache of records' JSON. A record is admitted when it is read a second time: where reads are spread over more records
 * than there is room for, each of them costs a hash. The oldest records make room for new ones.
 */
export class RecordCache {
  /** With what they belong to: an id that is requested of another table or organization is not found there. */
  readonly #records = new Map<string, Owner & { readonly json: Buffer }>();
  readonly #recent = new Int32Array(recentIds);
  #bytes = 0;
  hits = 0;
  misses = 0;

  get({ organization, table }: Owner, id: string): Buffer | undefined {
    const cached = this.#records.get(id);
    if (cached?.table === table && cached.organization === organization) {
      this.hits++;
      return cached.json;
    }
    this.misses++;
    return undefined;
  }

  /** Whether one of these records would be admitted now. */
  hasRecent(ids: readonly string[]): boolean {
    return ids.some((id) => {
      const hash = hashOf(id);
      return this.#recent[slotOf(hash)] === hash;
    });
  }

  /** Notes that a record was read; returns whether that was the second time lately. */
  noteRead(id: string): boolean {
    const hash = hashOf(id);
    const slot = slotOf(hash);
    const isSecond = this.#recent[slot] === hash;
    this.#recent[slot] = hash;
    return isSecond;
  }

  /** Offers what was read from the database. */
  offer({ organization, table }: Owner, id: string, json: Json): void {
    if (json.length > maxRecordBytes || !this.noteRead(id)) return;
    this.delete(id);
    const bytes = typeof json === 'string' ? Buffer.from(json) : json;
    this.#records.set(id, { organization, table, json: bytes });
    this.#bytes += bytes.length;
    for (const oldest of this.#records.keys()) {
      if (this.#bytes <= maxBytes) break;
      this.delete(oldest);
    }
  }

  delete(id: string): void {
    const cached = this.#records.get(id);
    if (!cached) return;
    this.#records.delete(id);
    this.#bytes -= cached.json.length;
  }

  clear(): void {
    this.#records.clear();
    this.#bytes = 0;
  }
}

const slotOf = (hash: number): number => hash & (recentIds - 1);

/** A hash of the random end of an id. */
function hashOf(id: string): number {
  let hash = 0;
  for (let i = Math.max(0, id.length - 8); i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) | 0;
  return hash;
}
