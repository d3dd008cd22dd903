import { hash } from 'node:crypto';
import type { Value } from '../model/fields.ts';
import { fold } from '../model/search.ts';
import type { Table } from '../model/table.ts';

/**
 * What a search of a table finds rows by: for each field the distinct words of its value, in a column of the row, and an index
 * of the engine over these columns. The organization is a part of each word, so that a search reads the words of its own alone.
 */
export interface SearchIndex {
  /** It says all that the index depends on, so that another one is made when one of that changes. */
  readonly name: string;
  readonly table: string;
  readonly columns: readonly SearchColumn[];
}

export interface SearchColumn {
  readonly name: string;
  readonly field: string;
}

/**
 * Bytes of a row's words, divided among the fields, and characters of folded text that are read for them. It bounds the time
 * of a write: what follows is not found. A tsvector of PostgreSQL holds twice as much.
 */
const maxBytes = 500_000;

/** Neither a letter nor a digit, so that it is in no word; nor ASCII, so that SQLite's tokenizer takes it as a part of one. */
const separator = '·';

const prefix = '_search.';

/** The longest name in bytes: PostgreSQL cuts what is behind. */
const maxName = 63;

const digest = (text: string): string => hash('sha256', text, 'hex').slice(0, 12);

function columnOf(field: string): SearchColumn {
  const full = prefix + field;
  return { field, name: full.length <= maxName ? full : `${full.slice(0, 48)}.${digest(field)}` };
}

/** Whether a column holds the words of a field, maybe of one that is no longer searched. */
export const isSearchColumn = (name: string): boolean => name.startsWith(prefix);

/** Whether a name is one that `searchOf` gives an index, or one that `formerOf` gives it. */
export const isSearchIndex = (name: string): boolean => /^_.*[.](?:search|former)[.][0-9a-f]{12}$/.test(name);

/** The name of an index whose words are no longer kept up by everybody: that of the spec is to be built anew. */
export const formerOf = (name: string): string => name.replace(/search(?=[.][0-9a-f]{12}$)/, 'former');

const known = new WeakMap<Table, SearchIndex | 'none'>();

/** The index that a table is searched by; undefined if it is not searched. */
export function searchOf(table: Table): SearchIndex | undefined {
  const found = known.getOrInsertComputed(table, make);
  return found === 'none' ? undefined : found;
}

/** Whether an index may be that of a table, now or of another version. */
export const isSearchOf = ({ name: table }: Pick<Table, 'name'>, index: string): boolean =>
  index.startsWith(`_${table.slice(0, 40)}.`);

function make({ name: table, list, columns: ofTable }: Table): SearchIndex | 'none' {
  if (list.search.length === 0) return 'none';
  const columns = list.search.toSorted().map(columnOf);
  const backfills = new Map(ofTable.map(({ name, backfill }) => [name, backfill]));
  const parts = [
    table,
    // Rows without a value are found by the words of the backfill.
    ...columns.map(({ field }) => field + (backfills.get(field) === undefined ? '' : `=${backfills.get(field)}`)),
  ];
  return { name: `_${table.slice(0, 40)}.search.${digest(parts.join())}`, table, columns };
}

/** A folded word as it is stored and searched for. */
export const ownWord = (organization: number, word: string): string => `${organization}${separator}${word}`;

/** The words of one field of a row, as its column holds them. */
export function wordsOf({ columns }: SearchIndex, organization: number, value: Value): string | null {
  if (typeof value !== 'string') return null;
  const share = maxBytes / columns.length;
  const words = new Set(fold(value, share).map((word) => ownWord(organization, word)));
  const kept: string[] = [];
  let bytes = 0;
  for (const word of words) {
    bytes += Buffer.byteLength(word);
    if (bytes > share) break;
    kept.push(word);
  }
  return kept.join(' ');
}
