import { withoutPassword } from '../../commands/database-setting.ts';
import { type ConnectionOptions, readConnectionOptions } from '../../engines/postgres/connection-options.ts';
import type { Feature } from '../../kernel/feature.ts';
import type { SettingRows } from '../../kernel/settings.ts';

/** How to connect to the standbys of READ_DATABASE_URL. @throws CliError as `readConnectionOptions` does */
export const readReplicaOptions = (url: string, service?: string): ConnectionOptions =>
  readConnectionOptions(url, 'READ_DATABASE_URL', service, { 'prefer-standby': 'standby', standby: 'standby' });

const replicaSettings = {
  READ_DATABASE_URL: {
    default: '',
    meaning: 'standbys of a PostgreSQL database that take reads',
    rule: 'the URL of a PostgreSQL database',
    parse: (text) => readReplicaOptions(text) && text,
    shown: withoutPassword,
    needsPostgres: true,
  },
} as const satisfies SettingRows;

/** Standbys of a PostgreSQL database, which READ_DATABASE_URL names, take reads of keys that have not written lately. */
export const replicas: Feature = {
  name: 'replicas',
  settings: replicaSettings,
  postgres: async (home) => {
    const { READ_DATABASE_URL: url } = home.settings;
    if (typeof url !== 'string') return undefined;
    return new (await import('./replica.ts')).Replica(home, readReplicaOptions(url, home.service));
  },
};
