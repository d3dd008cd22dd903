import type { Feature } from '../../kernel/feature.ts';
import { searchParameters } from './parameters.ts';
import { searchEngines } from './engines.ts';
import { wordColumns } from './search.ts';

/** Lists are searched: `q` finds the records whose searched fields have a word that begins so, for each of its words. */
export const search: Feature = {
  name: 'search',
  columns: (table, engine) => wordColumns(table, searchEngines[engine]),
  parameters: searchParameters,
  migration: async () => (await import('./compare.ts')).migration,
};
