import { createSchema } from '../../runtime/sql/schema.ts';
import { header } from './header.ts';
import type { Service } from '../model/model.ts';
import { folders } from '../read/paths.ts';
import { escapeInvisible } from './expression.ts';
import { memoize } from './memoize.ts';
import { tableOf } from './shape.ts';

const keptTableOf = memoize(tableOf);

/** `schema.sql`: the tables that a new database gets, for readers; the server creates them itself. */
export function emitSql({ resources }: Service): string {
  const raw = createSchema(resources.map(keptTableOf));
  const statements = raw.map(escapeInvisible);
  const hasEscapes = statements.some((statement, index) => statement !== raw[index]);
  return [
    header(`${folders.spec}/`, '--'),
    '-- The server makes these tables by itself, and adds to older ones what is new.',
    // No escape means the same in all databases.
    ...(hasEscapes ? ['-- A \\u with four digits stands for a character that is invisible.'] : []),
    // The indexes of a table stand below it.
    ...statements.map((statement) => `${statement.startsWith('create index') ? '' : '\n'}${statement};`),
    '',
  ].join('\n');
}
