import { literal, quote } from '../../kernel/sql/values.ts';
import { dropIndex, indexStep } from '../../migrations/steps.ts';
import { ownWord, searchColumn, type SearchEngine, separator } from './search.ts';

/** KiB of words that wait to be put into the index, the least that PostgreSQL allows: each search reads them all. */
const maxPendingWords = 64;

/**
 * The words are a tsvector, each with its field behind it. They are replaced by functions of the text, as Citus refuses a query
 * in an update of a column, and functions that depend on settings.
 */
export const postgresSearch: SearchEngine = {
  column: {
    type: 'tsvector',
    stored: (words) =>
      Object.entries(words)
        .flatMap(([field, text]) => (text === '' ? [] : text.split(' ').map((word) => word + separator + field)))
        .join(' '),
    // Each word is in quotes, and their order is that of bytes.
    holds: (column, words) =>
      column.split(' ').toSorted().join(' ') === words.replaceAll(/[^ ]+/g, "'$&'").split(' ').toSorted().join(' '),
    changed(fields, parameter) {
      const former = literal(`'[^']+${separator}(${fields.join('|')})'`);
      const others = `regexp_replace(cast(${quote(searchColumn)} as text), ${former}, '', 'g')`;
      return `cast(coalesce(${others}, '') as tsvector) || cast(${parameter} as tsvector)`;
    },
  },
  searchBy: () => ({
    queryOf: (words, organization) => words.map((word) => `'${ownWord(organization, word)}':*`).join(' & '),
    matches(parameter, mayUseIndex) {
      const isFound = `${quote(searchColumn)} @@ cast(${parameter} as tsquery)`;
      return mayUseIndex ? isFound : `(${isFound}) is true`;
    },
  }),
  create: ({ name, table }, concurrently) => [
    `create index${concurrently && ` ${concurrently}`} ${quote(name)}\n` +
      `  on ${quote(table)} using gin (${quote(searchColumn)}) with (gin_pending_list_limit = ${maxPendingWords})`,
  ],
  drop: (name) => dropIndex(name, { concurrently: 'concurrently' }),
  rename: (former, name) => indexStep(`alter index if exists ${quote(former)} rename to ${quote(name)}`),
};
