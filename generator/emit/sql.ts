import { features } from '../../runtime/features.ts';
import { sqliteDialect } from '../../runtime/migrations/sqlite-dialect.ts';
import { header } from './header.ts';
import type { Service } from '../model/model.ts';
import { folders } from '../read/paths.ts';
import { tableOf } from './shape.ts';
import { createSchema } from '../../runtime/migrations/definitions.ts';

const decimals =
  '-- A decimal(18, 2) is on SQLite the number of its units, 1250 for 12.50, and on PostgreSQL a numeric.';

/** `schema.sql`: the tables that a new database gets, for readers; the server creates them itself. */
export function emitSql({ resources }: Service): string {
  const tables = resources.map(tableOf);
  const hasDecimals = tables.some(({ columns }) => columns.some(({ type }) => type === 'decimal'));
  return [
    header(`${folders.spec}/`, '--'),
    '-- The server makes these tables by itself, and adds to older ones what is new.',
    ...(hasDecimals ? [decimals] : []),
    // PostgreSQL understands them, too. The indexes of a table stand below it.
    ...createSchema(tables, sqliteDialect, features.list).map(
      (statement) => `${/^create (unique )?index/.test(statement) ? '' : '\n'}${statement};`,
    ),
    '',
  ].join('\n');
}
