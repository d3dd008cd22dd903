import { hash } from 'node:crypto';
import type { Value } from '../../kernel/model/fields.ts';
import { foldVersion } from '../../kernel/model/fold.ts';
import type { Table } from '../../kernel/model/table.ts';
import type { HiddenColumn, ListSearch } from '../../kernel/sql/table-parts.ts';
import { renamesOf } from '../../kernel/sql/values.ts';
import type { IndexStep, StatementStep } from '../../migrations/types.ts';
import { storedWords } from './words.ts';

/**
 * The index of words of a table: the distinct words of its searched fields, in one column of the row, and an index of
 * the engine over that column. The organization is a part of each word, so that a search reads the words of its own alone.
 */
export interface SearchIndex {
  /** It says all that the stored words depend on: they are stored again where there is no index of this name. */
  readonly name: string;
  readonly table: string;
  readonly fields: readonly string[];
}

/** The words of fields, separated by spaces. */
type FieldWords = Readonly<Record<string, string>>;

/** The parts of searches that differ between engines. */
export interface SearchEngine {
  /** The column of the words, and its value, with the words of all fields or of those that change. */
  readonly column: Omit<HiddenColumn, 'name' | 'fields' | 'valueOf' | 'search'> & {
    readonly stored: (words: FieldWords) => string;
  };
  /** The search for the rows that have words that begin so. */
  readonly searchBy: (index: SearchIndex) => ListSearch;
  /**
   * Statements that create an index of words, over the column that holds them, and keep it up.
   *
   * @param concurrently the keyword, for an existing table
   */
  readonly create: (index: SearchIndex, concurrently: string) => string[];
  /** The step that drops an index of words. */
  readonly drop: (name: string) => StatementStep | IndexStep;
  /** The step that gives an index of words another name; absent if it is made anew in less time than all rows change in it. */
  readonly rename?: (former: string, name: string) => IndexStep;
}

/** The column of the words. */
export const searchColumn = '_search';

/**
 * Bytes of a row's words, divided among the fields, and characters of folded text that are read for them. It bounds the time
 * of a write: what follows is not found. A tsvector of PostgreSQL holds twice as much.
 */
const maxBytes = 500_000;

/** Neither a letter nor a digit, so that it is in no word; nor ASCII, so that SQLite's tokenizer takes it as a part of one. */
export const separator = '·';

const digest = (text: string): string => hash('sha256', text, 'hex').slice(0, 12);

/** Characters of a table's name in the names of indexes: PostgreSQL cuts what is behind 63. */
const maxTable = 40;

/** The beginning of the names of a table's indexes of words; the only one of this form belongs to no other table. */
export const searchPrefix = (table: string): string =>
  `_${table.length <= maxTable ? table : `${table.slice(0, maxTable - 13)}.${digest(table)}`}.search`;

/** The beginning of the name of an index of words. */
export const prefixOf = (index: string): string => index.replace(/[.][0-9a-f]{12}$/, '');

/** Whether a name is one that `searchOf` gives an index, of any table. */
export const isSearchIndex = (name: string): boolean => /^_.*[.]search[.][0-9a-f]{12}$/.test(name);

/** Whether an index is that of a table, now or with other fields. */
export const isSearchOf = (table: string, index: string): boolean =>
  isSearchIndex(index) && prefixOf(index) === searchPrefix(table);

/** The index that a table is searched by; undefined if it is not searched. */
export function searchOf({ name: table, list, columns }: Table): SearchIndex | undefined {
  if (list.search.length === 0) return undefined;
  const fields = list.search.toSorted();
  return {
    table,
    fields,
    get name() {
      const searchedColumns = fields.map((field) => columns.find(({ name }) => name === field));
      // Rows without a value are found by the words of the backfill, others by those of the present name.
      const backfills = searchedColumns.map((column) => column?.backfill ?? null);
      const renames = searchedColumns.flatMap((column) => (column && renamesOf(column)) ?? []);
      return `${searchPrefix(table)}.${digest(JSON.stringify([searchColumn, foldVersion, fields, backfills, ...renames]))}`;
    },
  };
}

/** A folded word as it is stored and searched for. */
export const ownWord = (organization: number, word: string): string => `${organization}${separator}${word}`;

/** The column of the words of a table that is searched. */
export function wordColumns(table: Table, { column: { stored, ...column }, searchBy }: SearchEngine): HiddenColumn[] {
  const index = searchOf(table);
  if (!index) return [];
  const valueOf: HiddenColumn['valueOf'] = (values, organization) => stored(wordsOf(index, organization, values));
  return [{ ...column, name: searchColumn, fields: index.fields, valueOf, search: searchBy(index) }];
}

/** The words of those of these values that are searched. */
function wordsOf(search: SearchIndex, organization: number, values: Readonly<Record<string, Value>>): FieldWords {
  const given = search.fields.filter((field) => field in values);
  const share = maxBytes / search.fields.length;
  return Object.fromEntries(given.map((field) => [field, textOf(organization, field, values[field], share)]));
}

function textOf(organization: number, field: string, value: Value | undefined, maxLength: number): string {
  if (typeof value !== 'string') return '';
  const kept = new Set<string>();
  let bytes = 0;
  for (const word of storedWords(value, maxLength)) {
    const own = ownWord(organization, word);
    if (kept.has(own)) continue;
    // PostgreSQL stores the field behind each word.
    bytes += Buffer.byteLength(own + separator + field);
    if (bytes > maxLength) break;
    kept.add(own);
  }
  return [...kept].join(' ');
}
