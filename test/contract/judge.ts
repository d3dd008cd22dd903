import { isDeepStrictEqual } from 'node:util';

import type { Stored } from '../support/records.ts';
import type { Problem } from '../support/problem.ts';
import type { Answer, TestServer } from '../support/server.ts';
import type { Request } from './choices.ts';
import type { OddRequest } from './odd-requests.ts';
import { type Done, type Errors, etagOf, Model, type Page, type Query, type Refused, type Write } from './model.ts';
import type { Resource } from './spec.ts';

type Sent = readonly [method: string, path: string, body?: object | undefined, ifMatch?: string | undefined];

const shownRequests = 12;

/** Sends the requests to one resource, and compares each answer with the model's. */
export class Judge {
  readonly #server: Pick<TestServer, 'request'>;
  readonly #resource: Resource;
  readonly model: Model;
  /** Each record by its key, as it was answered last. */
  readonly #known = new Map<number, Stored>();
  readonly #history: string[] = [];

  constructor(server: Pick<TestServer, 'request'>, resource: Resource) {
    this.#server = server;
    this.#resource = resource;
    this.model = new Model(resource);
  }

  /** @returns what the answer is, in a word. @throws Error if it is not as the model says. */
  async judge(request: Request): Promise<string> {
    if ('query' in request) return this.#judgeList(request.query);
    const [first] = request.writes;
    return request.writes.length === 1 && first ? this.#judgeWrite(first) : this.#judgeBatch(request.writes);
  }

  /** The id of the record that was written last, or that of one that is gone. */
  get lastId(): string | undefined {
    return [...this.#known.values()].at(-1)?.id;
  }

  /** @returns what the answer is, in a word. @throws Error if the request may have changed something */
  async judgeOdd({ method, path, body, headers }: OddRequest): Promise<string> {
    const { status, text } = await this.#server.request(method, path, body, headers);
    this.#history.push(`${method} ${path} ${String(body ?? '')}\n  ${status} ${text}`);
    const isRefused = status >= 400 && status < 500;
    this.#expect(isRefused || (status < 300 && ['GET', 'HEAD'].includes(method)), 'a refusal');
    return `odd ${status}`;
  }

  async #send([method, path, body, ifMatch]: Sent): Promise<Answer> {
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    const answer = await this.#server.request(method, path, body, headers);
    const sent = body === undefined ? '' : JSON.stringify(body);
    this.#history.push(`${method} ${path} ${sent} ${ifMatch ?? ''}\n  ${answer.status} ${answer.text}`);
    return answer;
  }

  #expect(isAsExpected: boolean, expected: unknown): void {
    if (isAsExpected) return;
    const { path, fields, unique } = this.#resource;
    const rules = fields.map(({ kind, ...field }) => `  ${JSON.stringify({ ...field, ...kind.written })}`).join('\n');
    throw new Error(
      `${path}: the contract says ${JSON.stringify(expected)}\n${rules}\n  unique: ${JSON.stringify(unique)}\n` +
        this.#history.slice(-shownRequests).join('\n'),
    );
  }

  async #judgeList(query: Query): Promise<string> {
    const expected = this.model.list(query);
    const answer = await this.#send(['GET', `${this.#resource.path}?${this.#textOf(query)}`]);
    if ('code' in expected) return this.#judgeRefusal(answer, expected);
    const { rows, ...rest }: Page = expected;
    const page = { data: rows.map(({ key }) => this.#known.get(key)), ...rest };
    this.#expect(answer.status === 200 && isDeepStrictEqual(answer.body, page), page);
    this.#expect(!answer.headers.has('etag'), 'no ETag of a list');
    return 'list';
  }

  #textOf({ filters, sort, limit, offset, after, archived }: Query): string {
    const query = new URLSearchParams({ limit: String(limit) });
    for (const { field, operator, texts } of filters) {
      const escaped = operator === 'in' ? texts.map((text) => text.replaceAll(/[\\,]/g, String.raw`\$&`)) : texts;
      query.set(operator === '' ? field : `${field}[${operator}]`, escaped.join(','));
    }
    if (sort.length > 0)
      query.set('sort', sort.map(({ field, isDescending }) => (isDescending ? '-' : '') + field).join());
    if (archived) query.set('archived', archived);
    if (after) query.set('after', this.#idOf(after.key));
    else query.set('offset', String(offset));
    return query.toString();
  }

  #idOf(key: number): string {
    return this.#known.get(key)?.id ?? `${this.#resource.name}_00000000000000000000000000`;
  }

  #requestOf(write: Write, idOf: (key: number) => string): Sent {
    const { path } = this.#resource;
    if (write.do === 'create') return ['POST', path, write.body];
    const { body = {}, ifMatch } = write;
    const one = `${path}/${idOf(write.key)}`;
    if (write.do === 'update') return ['PATCH', one, body, ifMatch];
    return write.do === 'delete'
      ? ['DELETE', one, undefined, ifMatch]
      : ['POST', `${one}/${write.do}`, undefined, ifMatch];
  }

  async #judgeWrite(write: Write): Promise<string> {
    const expected = this.model.write(write);
    const answer = await this.#send(this.#requestOf(write, (key) => this.#idOf(key)));
    if ('code' in expected) return this.#judgeRefusal(answer, expected);
    this.#expect(answer.status === expected.status, expected);
    this.#judgeDone(write, expected, answer.body as Stored, answer.headers.get('etag'));
    return write.do;
  }

  async #judgeBatch(writes: readonly Write[]): Promise<string> {
    const created = new Map<number, number>();
    let key = this.model.nextKey;
    const operations = writes.map((write, place) => {
      const idOf = (one: number): string => (created.has(one) ? `{result:${created.get(one)}}` : this.#idOf(one));
      const [method, path, body, ifMatch] = this.#requestOf(write, idOf);
      if (write.do === 'create') created.set(key++, place);
      return { method, path, ...(body && { body }), ...(ifMatch !== undefined && { if_match: ifMatch }) };
    });
    const expected = this.model.batch(writes);
    const answer = await this.#send(['POST', '/api/batch', { operations }]);
    if ('code' in expected) return this.#judgeRefusal(answer, expected);
    const results = (answer.body as { results?: { status: number; etag?: string; body: Stored }[] }).results ?? [];
    const statuses = expected.map(({ status }) => status);
    this.#expect(
      isDeepStrictEqual(
        results.map(({ status }) => status),
        statuses,
      ),
      statuses,
    );
    for (const [place, write] of writes.entries()) {
      const { body, etag = null } = results[place]!;
      this.#judgeDone(write, expected[place]!, body, etag);
    }
    return 'batch';
  }

  #judgeDone(write: Write, done: Done, body: Stored, etag: string | null): void {
    const expected = write.do === 'delete' ? null : etagOf(done.row);
    this.#expect(etag === expected, { etag: expected });
    if (write.do === 'delete') {
      const id = this.#idOf(done.row.key);
      this.#expect(isDeepStrictEqual(body, { id, deleted: true }), { id, deleted: true });
      return;
    }
    const { key } = done.row;
    const { id, created_at: createdAt, updated_at: updatedAt, archived_at: archivedAt = null, ...rest } = body;
    this.#expect((archivedAt !== null) === done.row.isArchived, { isArchived: done.row.isArchived });
    const settled = this.model.settle(done.row, String(createdAt));
    // As texts, for the order of the fields counts.
    this.#expect(JSON.stringify(rest) === JSON.stringify(settled), settled);
    const known = this.#known.get(key);
    const isTimely = known
      ? createdAt === known['created_at'] && (done.isChanged || updatedAt === known['updated_at'])
      : createdAt === updatedAt;
    this.#expect(isTimely && (!known || id === known.id), { of: known, isChanged: done.isChanged });
    this.#known.set(key, body);
  }

  #judgeRefusal({ status, headers, body }: Answer, refused: Refused): string {
    const {
      code,
      operation,
      errors = [],
      conflicting_id: other,
    } = body as Problem & { operation?: number; conflicting_id?: string };
    const isSame = status === refused.status && code === refused.code && operation === refused.operation;
    this.#expect(isSame && headers.get('etag') === (refused.etag ?? null), refused);
    const start = operation === undefined ? '/' : `/operations/${operation}/body/`;
    const found = Object.fromEntries(errors.map((error) => [error.pointer, error.code]));
    const isNamed = (expected: Errors): boolean => {
      const wanted = Object.entries(expected).map(([name, why]) => [start + name, why]);
      return isDeepStrictEqual(found, Object.fromEntries(wanted));
    };
    const isClash = refused.clashes?.some(
      (clash) => isNamed(clash.errors) && other === (clash.key && this.#known.get(clash.key)?.id),
    );
    this.#expect(isClash ?? isNamed(refused.errors ?? {}), refused);
    return `${status} ${code}`;
  }
}
