import type { TableSql } from '../../kernel/sql/table-sql.ts';
import { recordCacheLength } from './limits.ts';

/** Characters of the longest record that is cached: a longer one would take the place of many. */
const maxRecordLength = recordCacheLength / 2_048;

/** Recently read ids: about as many as the cache can hold records. */
const recentIds = recordCacheLength / 1_024;

/** The organization and the table of a record. */
type Owner = Pick<TableSql, 'organization' | 'table'>;

/** A record as a string: it takes a fifth less memory than as a buffer of its own, and is sent together with its headers. */
export interface ShortRecord {
  readonly json: string;
  readonly version: number;
}

/** With what it belongs to: an id that is requested of another table or organization is not found there. */
type Cached = Owner & { readonly record: ShortRecord };

/**
 * A cache of records' JSON. A record is admitted when it is read a second time: where reads are spread over more records
 * than there is room for, each of them costs a look-up. When the younger half of the cache is full, the older one goes.
 */
export class RecordCache {
  #younger = new Map<string, Cached>();
  #older = new Map<string, Cached>();
  /** The characters of the younger half. */
  #length = 0;
  #recent = new Set<string>();
  #lessRecent = new Set<string>();
  hits = 0;
  misses = 0;

  get({ organization, table }: Owner, id: string): ShortRecord | undefined {
    const cached = this.#younger.get(id) ?? this.#older.get(id);
    if (cached?.table === table && cached.organization === organization) {
      this.hits++;
      return cached.record;
    }
    this.misses++;
    return undefined;
  }

  /** Whether most of these records would be admitted now: of pages that are read at random, some would be, and no page again. */
  areRecent(ids: readonly string[]): boolean {
    return ids.filter((id) => this.#isRecent(id)).length > ids.length / 2;
  }

  /** Notes that a record was read; returns whether that was the second time lately. */
  noteRead(id: string): boolean {
    const isSecond = this.#isRecent(id);
    this.#recent.add(id);
    if (this.#recent.size >= recentIds / 2) [this.#recent, this.#lessRecent] = [new Set(), this.#recent];
    return isSecond;
  }

  #isRecent(id: string): boolean {
    return this.#recent.has(id) || this.#lessRecent.has(id);
  }

  /** Offers what was read from the database. */
  offer({ organization, table }: Owner, id: string, record: ShortRecord): void {
    const { length } = record.json;
    if (length > maxRecordLength || !this.noteRead(id)) return;
    this.#younger.set(id, { organization, table, record });
    this.#length += length;
    if (this.#length < recordCacheLength / 2) return;
    [this.#younger, this.#older] = [new Map(), this.#younger];
    this.#length = 0;
  }

  delete(id: string): void {
    this.#younger.delete(id);
    this.#older.delete(id);
  }

  clear(): void {
    this.#younger.clear();
    this.#older.clear();
    this.#length = 0;
  }
}
