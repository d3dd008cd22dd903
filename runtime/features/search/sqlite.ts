import { quote } from '../../kernel/sql/values.ts';
import type { ListSearch } from '../../kernel/sql/table-parts.ts';
import { change } from '../../migrations/steps.ts';
import { ownWord, prefixOf, searchColumn, type SearchEngine, type SearchIndex, searchPrefix } from './search.ts';

/** The table of FTS5 that indexes the words of a table's rows. */
const wordIndex = ({ table }: SearchIndex): string => quote(searchPrefix(table));

/** The names of a table's triggers of inserts and deletes. That of updates has the name of the index. */
const triggersOf = (prefix: string): readonly [insert: string, remove: string] => [
  quote(`${prefix}.insert`),
  quote(`${prefix}.delete`),
];

/** The words are a JSON object by field. To the tokenizer of ASCII, its punctuation separates them; no search finds its keys. */
export const sqliteSearch: SearchEngine = {
  column: {
    type: 'text',
    stored: JSON.stringify,
    changed: (_, parameter) => `json_patch(coalesce(${quote(searchColumn)}, '{}'), ${parameter})`,
  },
  searchBy(index) {
    const found = (parameter: string): string => `${wordIndex(index)} where ${wordIndex(index)} match ${parameter}`;
    const matches = (parameter: string, mayUseIndex: boolean): string =>
      `${mayUseIndex ? '' : '+'}_rowid_ in (select rowid from ${found(parameter)})`;
    // https://sqlite.org/fts5.html#fts5_prefix_queries
    const queryOf: ListSearch['queryOf'] = (words, organization) =>
      words.map((word) => `"${ownWord(organization, word)}"*`).join(' AND ');
    return { found, matches, queryOf };
  },
  /** Triggers, so that whatever changes a row changes the index. It has no words of its own but their places. */
  create(search) {
    const [index, on, column] = [wordIndex(search), quote(search.table), quote(searchColumn)];
    const [insert, remove] = triggersOf(searchPrefix(search.table));
    const into = `into ${index} (rowid, "words")`;
    const values = `values (new._rowid_, new.${column})`;
    return [
      // A token has letters and digits of ASCII, and every character beyond it.
      `create virtual table ${index} using fts5 ("words", content = '', contentless_delete = 1, detail = none, ` +
        `tokenize = 'ascii')`,
      `insert ${into} select _rowid_, ${column} from ${on}`,
      `create trigger ${insert} after insert on ${on} begin insert ${into} ${values}; end`,
      `create trigger ${quote(search.name)} after update of ${column} on ${on} begin insert or replace ${into} ${values}; end`,
      `create trigger ${remove} after delete on ${on} begin delete from ${index} where rowid = old._rowid_; end`,
    ];
  },
  /** Other programs search by it. */
  drop(name) {
    const prefix = prefixOf(name);
    const triggers = [quote(name), ...triggersOf(prefix)];
    const drops = triggers.map((trigger) => `drop trigger if exists ${trigger}`);
    return change('incompatible', ...drops, `drop table if exists ${quote(prefix)}`);
  },
};
