import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { ApiError, unavailable } from '../../runtime/kernel/model/errors.ts';
import { KeyCheck, type KeyHolder } from '../../runtime/features/keys/keys.ts';
import { newKey } from '../../runtime/features/keys/format.ts';
import type { KeyTable, KeyUse, StoredKey } from '../../runtime/features/keys/key-table.ts';
import type { Records } from '../../runtime/kernel/records/store.ts';
import { testKey } from '../support/server.ts';

/** A key table in memory that counts what it is asked. */
class Table implements KeyTable {
  readonly rows = new Map<string, StoredKey>();
  readonly uses: KeyUse[] = [];
  finds = 0;
  failure: unknown;
  /** Milliseconds until it answers; 0 at once, as SQLite does. */
  delay = 0;

  find = async (ids: readonly string[]): Promise<StoredKey[]> => {
    this.finds++;
    return this.#answer(() => ids.flatMap((id) => this.rows.get(id) ?? []));
  };

  noteUses = async (uses: readonly KeyUse[]): Promise<void> => {
    if (this.failure !== undefined) throw this.failure;
    this.uses.push(...uses);
  };

  add(row: Partial<StoredKey> = {}): string {
    const { id, key, digest } = newKey();
    this.rows.set(id, {
      id,
      digest,
      organization: 1,
      organizationName: 'main',
      name: 'test',
      scopes: '*',
      rate: null,
      expiresAt: null,
      revokedAt: null,
      ...row,
    });
    return key;
  }

  revoke(key: string): void {
    const id = key.slice(4, 14);
    this.rows.set(id, { ...(this.rows.get(id) as StoredKey), revokedAt: new Date().toISOString() });
  }

  #answer<T>(make: () => T): T | Promise<T> {
    if (this.delay > 0) {
      return new Promise((resolve) => setTimeout(resolve, this.delay)).then(() => {
        if (this.failure !== undefined) throw this.failure;
        return make();
      });
    }
    if (this.failure !== undefined) throw this.failure;
    return make();
  }
}

let table: Table;
let keys: KeyCheck;

const check = (key: string, address = '192.0.2.1') => keys.check(`Bearer ${key}`, address);
const clientOf = async (key: string): Promise<KeyHolder> => {
  const client = await check(key);
  expect(client).not.toBeInstanceOf(ApiError);
  return client as KeyHolder;
};
const errorOf = async (key: string, address?: string): Promise<ApiError> => {
  const error = await check(key, address);
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};
/** Moves the clocks on, without waiting. */
const pass = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] });
  table = new Table();
  const of = (organization: number): Records => ({ organization }) as unknown as Records;
  keys = new KeyCheck([testKey], 'test', { of }, table);
});

afterEach(() => {
  vi.useRealTimers();
});

test('a key is looked up about once a second', async () => {
  const key = table.add({ organization: 7, scopes: 'crm:read stock' });
  expect(await clientOf(key)).toMatchObject({ organization: 7, records: { organization: 7 } });
  for (let n = 0; n < 1_000; n++) {
    expect(await check(key)).toMatchObject({ keyId: key.slice(4, 14), scopes: new Set(['crm:read', 'stock']) });
    await pass(10);
  }
  expect(table.finds).toBeLessThanOrEqual(12);
});

test('many keys in use are looked up together, and each that is revoked stops within a second', async () => {
  const all = Array.from({ length: 90 }, () => table.add());
  await Promise.all(all.map(clientOf));
  const first = table.finds;
  for (let n = 0; n < 100; n++) {
    await Promise.all(all.map(clientOf));
    await pass(100);
  }
  // Each was looked up about a hundred times; ten seconds have about eleven looks.
  expect(table.finds - first).toBeLessThanOrEqual(25);
  for (const key of all) table.revoke(key);
  await pass(999);
  for (const key of all) expect(await errorOf(key)).toMatchObject({ message: 'The API key was revoked.' });
});

test('requests at the same time look a key up once', async () => {
  table.delay = 50;
  const key = table.add({ rate: '3/m' });
  for (let n = 0; n < 2; n++) {
    const all = Array.from({ length: 100 }, () => clientOf(key));
    await pass(50);
    const limits = (await Promise.all(all)).map(({ limit }) => limit);
    expect(new Set(limits).size).toBe(1);
    await pass(1_000);
  }
  expect(table.finds).toBe(2);
});

test('nothing is asked while no request comes', async () => {
  await clientOf(table.add());
  await pass(50_000);
  expect(table.finds).toBe(1);
  await keys.close();
  expect(vi.getTimerCount()).toBe(0);
});

test('a key that is used all the time is refused within a second after it was revoked', async () => {
  const key = table.add();
  await clientOf(key);
  for (let n = 0; n < 7; n++) {
    expect(await check(key)).not.toBeInstanceOf(ApiError);
    await pass(100);
  }
  table.revoke(key);
  await pass(999);
  const error = await errorOf(key);
  expect(error).toMatchObject({ code: 'unauthorized', message: 'The API key was revoked.' });
  expect(error.headers?.['WWW-Authenticate']).toBe('Bearer realm="test", error="invalid_token"');
});

test('a key that expires is refused from that moment on', async () => {
  const key = table.add({ expiresAt: new Date(Date.now() + 300).toISOString() });
  await clientOf(key);
  await pass(299);
  expect(await check(key)).toMatchObject({ keyId: key.slice(4, 14) });
  await pass(1);
  expect(await errorOf(key)).toMatchObject({ message: 'The API key has expired.' });
});

test('while the database fails, keys go on for a second, then they are 503; those of API_KEYS go on', async () => {
  const key = table.add();
  await clientOf(key);
  table.failure = unavailable('The database cannot be reached. Try again.');
  await pass(850);
  expect(await check(key)).toMatchObject({ keyId: key.slice(4, 14) });
  await pass(149);
  expect(await errorOf(key)).toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '1' } });
  expect(await errorOf(table.add())).toMatchObject({ code: 'unavailable' });
  expect(await errorOf('wrong')).toMatchObject({ code: 'unauthorized' });
  expect(await clientOf(testKey)).toMatchObject({ organization: 1 });
  table.failure = undefined;
  await clientOf(key);
});

test('a database that does not answer is given up after a second', async () => {
  const key = table.add();
  table.delay = 60_000;
  const answer = check(key);
  await pass(1_000);
  expect(await answer).toMatchObject({ code: 'unavailable' });
});

test('an unexpected failure is a problem, too', async () => {
  table.failure = new Error('Broken.');
  expect(await errorOf(table.add())).toMatchObject({ code: 'internal' });
});

test('a text that is no key asks nothing, and is counted as a wrong one is', async () => {
  await errorOf(table.add().slice(0, -1));
  expect([table.finds, keys.wrong]).toEqual([0, 1]);
  expect(await errorOf(newKey().key)).toMatchObject({ message: 'The API key is not valid.' });
  expect([table.finds, keys.wrong]).toEqual([1, 2]);
});

test('the right id with another secret is refused', async () => {
  const key = table.add();
  const other = newKey();
  table.rows.set(other.id, { ...(table.rows.get(key.slice(4, 14)) as StoredKey), id: other.id });
  expect(await errorOf(other.key)).toMatchObject({ message: 'The API key is not valid.' });
});

test('rows that were written by hand open nothing, and keep no other key from opening', async () => {
  const broken = [
    table.add({ digest: 'abc' }),
    table.add({ digest: '' }),
    table.add({ expiresAt: 'soon' }),
    table.add({ expiresAt: '' }),
    table.add({ revokedAt: '' }),
  ];
  const answers = [...broken, table.add()].map((key, n) => check(key, `192.0.2.${n}`));
  const valid = (await Promise.all(answers)).map((answer) => !(answer instanceof ApiError));
  expect(valid).toEqual([false, false, false, false, false, true]);
  // An unreadable rate counts as the default, and a key without scopes may do nothing.
  const client = await clientOf(table.add({ rate: 'much', scopes: '' }));
  expect(client.limit?.rate).toEqual({ requests: 60_000, seconds: 60 });
  expect(client.scopes.has('*')).toBe(false);
});

test('a flood of distinct wrong keys makes no key forgotten', async () => {
  const key = table.add();
  await clientOf(key);
  for (let n = 0; n < 10_500; n++) await errorOf(newKey().key);
  const { finds } = table;
  expect(await check(key)).toMatchObject({ keyId: key.slice(4, 14) });
  expect(table.finds).toBe(finds);
});

test('many keys: those that were looked up first are forgotten and looked up again', async () => {
  const all = Array.from({ length: 10_500 }, (_, n) => table.add({ organization: n + 1 }));
  await Promise.all(all.map(clientOf));
  const asked = table.finds;
  expect(await clientOf(all.at(-1) as string)).toMatchObject({ organization: 10_500 });
  expect(table.finds).toBe(asked);
  expect(await clientOf(all[100] as string)).toMatchObject({ organization: 101 });
  expect(table.finds).toBe(asked + 1);
});

test('other spellings of the header are the same client', async () => {
  const key = table.add({ rate: '3/m' });
  const { limit } = await clientOf(key);
  for (const header of [`bearer ${key}`, `BEARER   ${key}`, `Bearer ${key}  `]) {
    expect(await keys.check(header, '')).toMatchObject({ name: key.slice(4, 14), limit });
  }
  expect(table.finds).toBe(1);
});

test('what a key has left of its rate outlives another look', async () => {
  const key = table.add({ rate: '3/m' });
  const { limit } = await clientOf(key);
  expect(limit?.tryAcquire(performance.now())).toBe(true);
  await pass(1_000);
  const again = await clientOf(key);
  expect(table.finds).toBe(2);
  expect(again.limit).toBe(limit);
  expect(again.limit?.remaining).toBe(2);
});

test('the rate is that of the key, or the default; keys of API_KEYS have only one that is set', async () => {
  const rates = async (): Promise<unknown[]> => {
    const all = [testKey, table.add(), table.add({ rate: '5/s' }), table.add({ rate: 'off' })];
    return (await Promise.all(all.map(clientOf))).map(({ limit }) => limit?.rate);
  };
  const usual = { requests: 60_000, seconds: 60 };
  const own = { requests: 5, seconds: 1 };
  expect(await rates()).toEqual([undefined, usual, own, undefined]);
  const set = { requests: 7, seconds: 60 };
  const store = { of: () => ({}) as Records };
  keys = new KeyCheck([testKey], 'test', store, table, set);
  expect(await rates()).toEqual([set, set, own, undefined]);
  keys = new KeyCheck([testKey], 'test', store, table, null);
  expect(await rates()).toEqual([undefined, undefined, own, undefined]);
});

test('uses are stored once a minute, and at the stop', async () => {
  const [one, two] = [table.add(), table.add()];
  for (let n = 0; n < 100; n++) await clientOf(one);
  await pass(59_000);
  expect(table.uses).toEqual([]);
  await clientOf(one);
  const at = new Date().toISOString();
  await pass(1_000);
  expect(table.uses).toEqual([{ id: one.slice(4, 14), at }]);
  await pass(120_000);
  expect(table.uses).toHaveLength(1);
  await clientOf(two);
  await keys.close();
  expect(table.uses.map(({ id }) => id)).toEqual([one.slice(4, 14), two.slice(4, 14)]);
});

test('uses that could not be stored are stored later', async () => {
  const warn = vi.spyOn(console, 'error').mockReturnValue();
  const key = table.add();
  await clientOf(key);
  table.failure = unavailable('The database is full.');
  await pass(60_000);
  expect(warn).toHaveBeenCalled();
  table.failure = undefined;
  await pass(60_000);
  expect(table.uses).toHaveLength(1);
  warn.mockRestore();
});
