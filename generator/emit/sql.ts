import { createSchema } from '../../runtime/store/ddl.ts';
import { header } from '../header.ts';
import type { Service } from '../model.ts';
import { folders } from '../paths.ts';
import { memoize } from '../memoize.ts';
import { tableOf } from '../shape.ts';

const keptTableOf = memoize(tableOf);

/** `schema.sql`: the tables that a new database gets, for readers; the server creates them itself. */
export function emitSql({ resources }: Service): string {
  const statements = createSchema(resources.map(keptTableOf));
  return [
    header(`${folders.spec}/`, '--'),
    '-- The server makes these tables by itself, and adds to older ones what is new.',
    ...statements.map((statement) => `\n${statement};`),
    '',
  ].join('\n');
}
