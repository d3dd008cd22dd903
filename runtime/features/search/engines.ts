import type { Engine } from '../../kernel/sql/values.ts';
import { postgresSearch } from './postgres.ts';
import type { SearchEngine } from './search.ts';
import { sqliteSearch } from './sqlite.ts';

export const searchEngines: Readonly<Record<Engine, SearchEngine>> = { sqlite: sqliteSearch, postgres: postgresSearch };
