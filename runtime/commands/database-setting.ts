import { readConnectionOptions } from '../engines/postgres/connection-options.ts';
import type { SettingRows } from '../kernel/settings.ts';
import type { DatabaseAddress } from '../migrations/engine.ts';

/** All before the last @ may be the password, and so may a parameter. */
export function withoutPassword(url: string): string {
  const [shown = '', parameters] = url.replace(/(:\/\/).*@/s, '$1(hidden)@').split(/\?(.*)/s);
  return parameters === undefined || url.startsWith('sqlite:') ? shown : `${shown}?(hidden)`;
}

function parseDatabase(url: string): DatabaseAddress | undefined {
  if (/^postgres(?:ql)?:/.test(url)) {
    readConnectionOptions(url);
    return { kind: 'postgres', url };
  }
  const file = /^sqlite:(?:\/\/(?=\/))?(?!\/\/)(.+)$/.exec(url)?.[1];
  return file === undefined ? undefined : { kind: 'sqlite', file };
}

export const databaseSettings = {
  DATABASE_URL: {
    default: 'sqlite:data/records.db',
    meaning: 'the database: sqlite: and a file, or postgres://user:password@host:5432/name',
    rule:
      'sqlite: and the path of a file, like sqlite:data/records.db, or the URL of a PostgreSQL database, like ' +
      'postgres://user:password@host:5432/records',
    parse: parseDatabase,
    shown: withoutPassword,
  },
} as const satisfies SettingRows;
