import { expect } from 'vitest';

import { targetsOf } from '../../runtime/kernel/model/fields.ts';
import { service } from '../service/generated/app.ts';
import {
  citus,
  describeEngine,
  type Engine,
  engines,
  expectExactTotals,
  type TestDatabase,
} from '../support/databases.ts';
import { type Answer, TestServer, testKey } from '../support/server.ts';
import { afterAll, beforeAll } from 'vitest';

export type Body = Readonly<Record<string, unknown>>;

/** A problem that references cause. */
export interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly operation?: number;
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly message: string }[];
  readonly referenced_by?: readonly {
    readonly resource: string;
    readonly field: string;
    readonly ids: readonly string[];
  }[];
}

/** A server with the library of the tests' own service. */
export class Library {
  readonly server: TestServer;
  readonly key: string;

  constructor(server: TestServer, key = testKey) {
    this.server = server;
    this.key = key;
  }

  ask(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.server.request(method, `/api/${path}`, body, { authorization: `Bearer ${this.key}` });
  }

  /** Creates a record of the library. @returns its id */
  async create(resource: string, body: Body): Promise<string> {
    const { status, body: created, text } = await this.ask('POST', `library/${resource}`, body);
    expect(status, text).toBe(201);
    return (created as { id: string }).id;
  }

  author(body: Body = {}): Promise<string> {
    return this.create('author', { name: 'Ann', ...body });
  }

  async book(body: Body = {}): Promise<string> {
    return this.create('book', { title: 'A book', author_id: body['author_id'] ?? (await this.author()), ...body });
  }

  loan(book: string, body: Body = {}): Promise<string> {
    return this.create('loan', { book_id: book, borrower: 'Bob', ...body });
  }

  /** A record, or undefined if it is gone. */
  async read(resource: string, id: string, query = ''): Promise<Body | undefined> {
    const { status, body } = await this.ask('GET', `library/${resource}/${id}${query}`);
    return status === 404 ? undefined : (body as Body);
  }

  /** The records of a list. */
  async list(resource: string, query = ''): Promise<readonly Body[]> {
    const { status, body, text } = await this.ask('GET', `library/${resource}${query}`);
    expect(status, text).toBe(200);
    return (body as { data: readonly Body[] }).data;
  }

  /** Does what must be refused. */
  async refused(method: string, path: string, body?: unknown): Promise<Problem & { readonly status: number }> {
    const answer = await this.ask(method, path, body);
    expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
    return { ...(answer.body as Problem), status: answer.status };
  }

  async delete(resource: string, id: string): Promise<void> {
    const { status, text } = await this.ask('DELETE', `library/${resource}/${id}`);
    expect(status, text + this.server.output.slice(-1500)).toBe(200);
  }
}

/** A server on a database of its own, with which the cases of an engine run. */
export interface Subject {
  library: Library;
  database: TestDatabase;
}

/** The same cases on each engine. @param env of the server */
export const onEachEngine = (
  what: string,
  cases: (subject: Subject, engine: Engine) => void,
  env: Record<string, string> = {},
): void => {
  for (const engine of [...engines, citus]) {
    describeEngine(engine, what, () => {
      const subject = {} as Subject;
      beforeAll(async () => {
        subject.database = await engine.create(service.tables);
        const server = new TestServer({ database: async () => subject.database, env });
        await server.start();
        subject.library = new Library(server);
      }, 120_000);
      afterAll(() => subject.library.server.close(), 60_000);
      cases(subject, engine);
    });
  }
};

const libraryTables = service.tables.filter(({ path }) => path.startsWith('library/'));

/** Expects that each reference in the database names a record, and that the totals are those of the rows. */
export async function expectIntact(database: TestDatabase): Promise<void> {
  for (const { name, columns } of libraryTables) {
    for (const { name: column, references } of columns) {
      if (!references) continue;
      const missing = targetsOf(references).map(
        (table) =>
          `not exists (select 1 from "${table}" as _other
           where _other."_organization" = _one."_organization" and _other."id" = _one."${column}")`,
      );
      const dangling = await database.query(
        `select "id" from "${name}" as _one where "${column}" is not null and ${missing.join(' and ')}`,
      );
      expect(dangling, `${name}.${column}`).toEqual([]);
    }
  }
  await expectExactTotals(database, libraryTables);
}
