import { afterAll, beforeAll, expect } from 'vitest';

import { service } from '../service/generated/app.ts';
import { runInProcess } from '../server/in-process.ts';
import { citus, describeEngine, type Engine, engines, type TestDatabase } from '../support/databases.ts';
import type { Stored } from '../support/records.ts';
import { type Answer, TestServer, testKey } from '../support/server.ts';

export interface Event {
  readonly number: number;
  readonly time: string;
  readonly actor: string;
  readonly request_id: string;
  readonly operation: string;
  readonly resource: string;
  readonly record: string;
  readonly version: number;
  readonly changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
}

/** Another key of the servers. */
export const otherKey = 'other-key-0123456789abcdef0123456789abcdef';

/** The servers of a database, and what they are asked. */
export class Trail {
  readonly engine: Engine;
  database!: TestDatabase;
  /** On PostgreSQL two, on Citus one of a worker and one of the coordinator. */
  servers: TestServer[] = [];
  #asked = 0;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  async start(): Promise<void> {
    this.database = await this.engine.create(service.tables);
    const { url, serverUrl = url } = this.database;
    // The first one makes the tables.
    for (const DATABASE_URL of this.engine.name === 'SQLite' ? [url] : [serverUrl, url]) {
      const env = { DATABASE_URL, API_KEYS: `${testKey},${otherKey}`, RATE_LIMIT: 'off' };
      const server = new TestServer({ env });
      this.servers.push(server);
      await server.start();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.close()));
    await this.database?.[Symbol.asyncDispose]();
  }

  /** Asks the servers in turn. */
  readonly ask = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const server = this.servers[this.#asked++ % this.servers.length] as TestServer;
    return server.request(method, `/api/${path}`, body, headers);
  };

  /** Does what succeeds. */
  readonly done = async (...request: Parameters<Trail['ask']>): Promise<Stored> => {
    const answer = await this.ask(...request);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body as Stored;
  };

  /** The events behind a number, page by page. */
  async events(query = '', after = 0, limit = 1000): Promise<Event[]> {
    const all: Event[] = [];
    for (;;) {
      const from = all.at(-1)?.number ?? after;
      const answer = await this.ask('GET', `events?limit=${limit}&after=${from}${query}`);
      expect(answer.status, answer.text).toBe(200);
      const { data, has_more: hasMore } = answer.body as { data: Event[]; has_more: boolean };
      all.push(...data);
      if (!hasMore) return all;
    }
  }

  /** The newest event. */
  readonly last = async (query = ''): Promise<Event> => {
    const { body } = await this.ask('GET', `events?limit=1&sort=-number${query}`);
    return (body as { data: [Event] }).data[0];
  };

  /** Makes a key. @returns the headers that send it */
  async key(organization: string, ...scopes: string[]): Promise<{ authorization: string }> {
    const args = scopes.flatMap((scope) => ['--scope', scope]);
    const env = { DATABASE_URL: this.database.url };
    const made = await runInProcess(
      service,
      env,
      'keys',
      'create',
      '--name',
      'x',
      '--organization',
      organization,
      ...args,
    );
    expect(made.code, made.stderr).toBe(0);
    return { authorization: `Bearer ${made.stdout.trim()}` };
  }
}

/** The same cases on each engine, and on Citus if there is one. */
export const onEachTrail = (what: string, cases: (trail: Trail) => void): void => {
  for (const engine of [...engines, citus]) {
    describeEngine(engine, what, () => {
      const trail = new Trail(engine);
      beforeAll(() => trail.start(), 60_000);
      afterAll(() => trail.close(), 60_000);
      cases(trail);
    });
  }
};

export const codeOf = ({ status, body }: Answer): string => (status < 300 ? 'done' : (body as { code: string }).code);
