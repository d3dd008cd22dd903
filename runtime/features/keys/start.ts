import { databaseSettings } from '../../commands/database-setting.ts';
import { CliError } from '../../kernel/model/errors.ts';
import type { Running } from '../../kernel/running.ts';
import type { ReadSettings } from '../../kernel/settings.ts';
import { counter } from '../../observability/metric.ts';
import { keyBeside } from './key-file.ts';
import { keyTable } from './key-table.ts';
import { KeyCheck, type KeyHolder } from './keys.ts';
import { keySettings } from './settings.ts';
import { getOf } from '../../kernel/api/app.ts';
import { respond } from '../../kernel/api/responses.ts';
import type { Routes } from '../../kernel/api/service.ts';
import { basePath } from '../../kernel/model/operations.ts';

/** @throws CliError if a server would have no key */
export function requireKeys(settings: ReadSettings): void {
  const { API_KEYS: keys = [], DATABASE_URL: database } = settings({ ...keySettings, ...databaseSettings });
  if (database.kind === 'sqlite' || keys.length > 0) return;
  throw new CliError(
    'API_KEYS is not set, and with PostgreSQL no key is created: several servers would have one each. Set it to keys ' +
      'separated by commas; `openssl rand -hex 32` makes one.',
  );
}

/** Has requests checked for keys. Without API_KEYS, the first start on SQLite creates one. */
export function startKeys(running: Running): AsyncDisposable | undefined {
  const { service, settings, store, serves, metrics, facts } = running;
  const config = settings({ ...keySettings, ...databaseSettings });
  const { API_KEYS: configured = [], RATE_LIMIT: rate, DATABASE_URL: database } = config;
  const created = database.kind === 'sqlite' && configured.length === 0 ? keyBeside(database.file) : undefined;
  const keys = created ? [created.key] : configured;
  Object.assign(facts, { key: keys[0], keyFile: created?.file });
  if (!serves) return undefined;
  const check = new KeyCheck(keys, service.name, store, keyTable(store), process.env['RATE_LIMIT'] ? rate : undefined);
  running.access = check;
  metrics.push(() => [counter('http_wrong_keys_total', 'Requests with a wrong API key.', check.wrong)]);
  return { [Symbol.asyncDispose]: () => check.close() };
}

/** Adds the route that responds 200 with what is known of the key of the request. Any valid key may ask, and nothing is read. */
export const mountKey: Routes = (app) => {
  getOf(app)(`${basePath}/key`, (c) => {
    const { about, name: actor, scopes } = c.env.principal as KeyHolder;
    const { name, organization, expiresAt } = about;
    return respond(c, JSON.stringify({ name, actor, organization, scopes: [...scopes], expires_at: expiresAt }));
  });
};
