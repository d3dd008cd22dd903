import { setTimeout as sleep } from 'node:timers/promises';

import type { Random } from '../support/random.ts';
import type { TestServer, Answer as Response } from '../support/server.ts';
import {
  type Answer,
  type Body,
  Model,
  moves,
  Raw,
  Refusal,
  type Resource,
  resources,
  type Row,
  Token,
  type Value,
  type Write,
} from './model.ts';

const pathOf = (of: Resource): string => `/api/agency/${of}`;

/** Values of fields of any form. The last is too long. */
export const raws = [
  [
    '{}',
    '[]',
    '{"result":0}',
    '[{"result":0},"{result:0}"]',
    '{"b":1,"a":[1.0,1e2,-0.0,"\\u00e9é","\\/"],"2":{},"1":null}',
  ],
  [
    '{"__proto__":{"constructor":1}}',
    '[9007199254740993,0.1,1E400]',
    `${'['.repeat(31)}${']'.repeat(31)}`,
    '{"":"  "}',
  ],
  [`["${'x'.repeat(200)}"]`],
]
  .flat()
  .map((text) => new Raw(text));

const mostRows = 8;

/** The transitions from states that lock. */
const unlockings: Readonly<Record<string, 'unblock' | 'reopen'>> = { blocked: 'unblock', done: 'reopen' };
const shownRequests = 8;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly if_match?: string;
}

/** Sends random requests of one organization, and compares each answer and all events with the model. */
export class Client {
  readonly #server: TestServer;
  readonly #random: Random;
  readonly #authorization: string;
  readonly #model = new Model();
  readonly #history: string[] = [];
  /** How many events of the model were compared with those of the server, and the number of the last one. */
  #compared = 0;
  #lastNumber = 0;
  #keys = 0;

  constructor(server: TestServer, random: Random, key: string) {
    this.#server = server;
    this.#random = random;
    this.#authorization = `Bearer ${key}`;
  }

  /** @returns what the answer is, in a word. @throws Error if it is not as the model says */
  async next(): Promise<string> {
    try {
      const kind = this.#random.weighted({ write: 50, batch: 20, undo: 10, list: 12, record: 12, events: 6 });
      switch (kind) {
        case 'write':
          return await this.#write();
        case 'batch':
          return await this.#batch();
        case 'undo':
          return await this.#undo();
        case 'list':
          return await this.#list();
        case 'record':
          return await this.#record();
        default:
          return await this.#events();
      }
    } catch (error) {
      throw new Error(`${String(error)}\n${this.#history.slice(-shownRequests).join('\n')}`, { cause: error });
    }
  }

  async #write(): Promise<string> {
    const write = this.#choose();
    const sent = this.#sentOf(write, []);
    const expected = this.#try(() => this.#model.write(write));
    const key = this.#random.chance(0.1) ? `key-${this.#keys++}` : undefined;
    const response = await this.#ask(sent, key);
    this.#expect(response, expected);
    if (key !== undefined) {
      const again = await this.#ask(sent, key);
      const isReplayed = expected.status < 300;
      if (isReplayed !== (again.headers.get('idempotency-replayed') === 'true')) throw new Error('not replayed');
      if (isReplayed && again.text !== response.text) throw new Error('another answer');
      if (isReplayed && again.headers.get('etag') !== response.headers.get('etag')) throw new Error('another ETag');
      if (!isReplayed) this.#expect(again, expected);
    }
    return wordOf(expected, write.do);
  }

  async #batch(): Promise<string> {
    const created: (Token | undefined)[] = [];
    const operations: object[] = [];
    const answers: Answer[] = [];
    const takeBack = this.#model.begin();
    let refused: Answer | undefined;
    for (let n = 2 + this.#random.below(4); n > 0 && !refused; n--) {
      const write = this.#choose();
      operations.push(this.#sentOf(write, created));
      const answer = attempt(() => this.#model.write(write));
      if (answer.status >= 300) refused = answer;
      else answers.push(answer);
      created.push(answer.status === 201 ? (answer.body as { id: Token }).id : undefined);
    }
    if (refused) takeBack();
    else this.#model.end();
    const response = await this.#ask({ method: 'POST', path: '/api/batch', body: { operations } });
    if (refused) {
      this.#expect(response, { ...refused, body: { ...(refused.body as object), operation: answers.length } });
      return `batch ${wordOf(refused, '')}`;
    }
    const etags = answers.map(({ version }) => version !== undefined && { etag: `"${version}"` });
    const results = answers.map(({ status, body }, n) => ({ status, body, ...etags[n] }));
    this.#expect(response, { status: 200, body: { results } });
    return 'batch';
  }

  async #undo(): Promise<string> {
    const events = this.#model.events.slice(0, this.#compared);
    if (events.length === 0) return this.#events();
    const event = this.#random.of(events.slice(-(this.#random.chance(0.8) ? 12 : 100)));
    const expected = this.#try(() => this.#model.undo(event));
    this.#history.push(`Undoes ${JSON.stringify(event)}`);
    this.#expect(await this.#ask({ method: 'POST', path: `/api/events/${event.number}/undo` }), expected);
    return wordOf(expected, `undo ${event.operation}`);
  }

  async #list(): Promise<string> {
    const of = this.#random.of<Resource>(['customer', 'order']);
    const [archived, isNull, sort, limit, offset] = [
      this.#random.of(['true', 'false', 'any', undefined]),
      this.#random.of(['true', 'false', undefined, undefined]),
      this.#random.of(['name', '-name', undefined]),
      this.#random.of([1, 3, 100]),
      this.#random.of([0, 0, 1]),
    ];
    const expand = this.#expansion(of);
    const raw = of === 'customer' ? 'settings' : 'data';
    const rows = this.#model.rows
      .filter((row) => row.of === of)
      .filter(({ values }) => archived === 'any' || (values['archived_at'] !== null) === (archived === 'true'))
      .filter(({ values }) => isNull === undefined || (values[raw] === null) === (isNull === 'true'))
      .toReversed();
    const isSorted = of === 'customer' && sort !== undefined;
    const nameOf = ({ values }: Row): string => String(values['name']).toLowerCase();
    const order = sort === 'name' ? 1 : -1;
    if (isSorted) rows.sort((a, b) => order * (nameOf(a) < nameOf(b) ? -1 : Number(nameOf(a) > nameOf(b))));
    const query = new URLSearchParams({
      limit: String(limit),
      offset: String(offset),
      ...(archived !== undefined && { archived }),
      ...(isNull !== undefined && { [`${raw}[null]`]: isNull }),
      ...(isSorted && { sort }),
      ...(expand.length > 0 && { expand: expand.join() }),
    });
    const response = await this.#ask({ method: 'GET', path: `${pathOf(of)}?${query}` });
    this.#expect(response, { status: 200, body: this.#model.page(rows, expand, limit, offset) });
    return 'list';
  }

  async #record(): Promise<string> {
    const row = this.#random.shuffled(this.#model.rows.filter(({ of }) => of !== 'part'))[0];
    if (!row) return this.#write();
    const expand = this.#random.chance(0.6) ? this.#expansion(row.of) : [];
    const path = `${pathOf(row.of)}/${row.id.text}${expand.length > 0 ? `?expand=${expand.join()}` : ''}`;
    const version = expand.length > 0 ? {} : { version: row.version };
    const body = this.#model.shown(row, expand);
    this.#expect(await this.#ask({ method: 'GET', path }), { status: 200, body, ...version });
    return expand.length > 0 ? 'expand' : 'retrieve';
  }

  #expansion(of: Resource): string[] {
    const all = {
      customer: ['orders', 'deals', 'part'],
      order: ['customer_id', 'agent_id', 'parts'],
      part: ['order_id'],
    };
    return all[of].filter(() => this.#random.chance(0.4));
  }

  /** Compares all new events: those of each record in their order. */
  async #events(): Promise<string> {
    const expected = this.#model.events.slice(this.#compared);
    let events: readonly Record<string, unknown>[] = [];
    let response: Response | undefined;
    for (let tries = 0; tries < 40; tries++) {
      response = await this.#ask({ method: 'GET', path: `/api/events?limit=1000&after=${this.#lastNumber}` });
      events = (response.body as { data: Record<string, unknown>[] }).data;
      if (events.length >= expected.length) break;
      this.#history.pop();
      await sleep(50);
    }
    const rest = [...events];
    for (const event of expected) {
      const at = rest.findIndex(({ record }) => record === event.record.text);
      const [found] = at === -1 ? [] : rest.splice(at, 1);
      const { of, record, operation, version } = event;
      const shown = found?.['changes'] as object | undefined;
      const told = found && pick(found, ['resource', 'record', 'operation', 'version', 'changes']);
      // Two writes may have one time.
      const isChange = ([name, [before, after]]: [string, readonly [Value, Value]]): boolean => {
        if (!(before instanceof Token && after instanceof Token) || Object.hasOwn(shown ?? {}, name)) return true;
        before.text ??= after.text;
        after.text ??= before.text;
        return before.text !== after.text;
      };
      const changes = Object.fromEntries(Object.entries(event.changes).filter(isChange));
      const wanted = { resource: `agency/${of}`, record, operation, version, changes };
      match(wanted, told, `event ${JSON.stringify(found)}`, response!.text);
      event.number = Number(found!['number']);
    }
    if (rest.length > 0) throw new Error(`Events too many: ${JSON.stringify(rest)}`);
    this.#compared += expected.length;
    this.#lastNumber = Number(events.at(-1)?.['number'] ?? this.#lastNumber);
    return 'events';
  }

  #choose(): Write {
    const { rows } = this.#model;
    const of = this.#random.of(resources);
    const all = rows.filter((row) => row.of === of);
    const isFull = all.length >= mostRows;
    const kind = this.#random.weighted({
      create: isFull ? 3 : 40,
      update: 25,
      delete: isFull ? 30 : 10,
      move: 30,
      archive: 14,
    });
    const row = this.#random.chance(0.985) ? this.#random.shuffled(all)[0] : undefined;
    if (kind === 'create' || all.length === 0) return { do: 'create', of, body: this.#body(of, undefined) };
    const id = row?.id ?? unknownId;
    const version = row?.version ?? 1;
    const ifMatch = this.#random.of([`"${version}"`, `"${version + 1}"`, `"0", "${version}"`, '*']);
    const guard = this.#random.chance(0.2) ? { ifMatch } : {};
    if (of !== 'part' && kind === 'archive') return { do: this.#random.of(['archive', 'unarchive']), of, id, ...guard };
    const unlocking = row && (row.values['archived_at'] ? 'unarchive' : unlockings[String(row.values['status'])]);
    if (unlocking && this.#random.chance(0.4)) return { do: unlocking, of, id, ...guard };
    const verbs = (Object.keys(moves) as (keyof typeof moves)[]).filter((name) => moves[name].of === of);
    if (kind === 'move' && verbs.length > 0) {
      const verb = this.#random.of(verbs);
      const body = verb === 'greet' &&
        this.#random.chance(0.6) && { body: { until: this.#random.of(['2031-02-03', null]) } };
      return { do: verb, of, id, ...body, ...guard };
    }
    if (kind === 'delete') return { do: 'delete', of, id, ...guard };
    return { do: 'update', of, id, body: this.#body(of, row), ...guard };
  }

  #body(of: Resource, row: Row | undefined): Body {
    const some = (target: Resource): Value => {
      const targets = this.#model.rows.filter((other) => other.of === target);
      return this.#random.chance(0.015) ? unknownId : (this.#random.shuffled(targets)[0]?.id ?? unknownId);
    };
    const orNull = (value: Value): Value => (this.#random.chance(0.2) ? null : value);
    const raw = (): Value => orNull(this.#random.of(raws));
    const values: Readonly<Record<Resource, Readonly<Record<string, () => Value>>>> = {
      customer: {
        name: () => this.#random.of(['Ada', 'ada', 'Bob', 'BOB', 'Éva']),
        code: () => orNull(this.#random.of(['a', 'A', 'b', 'c', 'd', 'e', 'f', 'G', 'h'])),
        settings: raw,
      },
      part: {
        customer_id: () => some('customer'),
        amount: () => this.#random.below(9),
        order_id: () => orNull(some('order')),
      },
      order: {
        customer_id: () => some('customer'),
        agent_id: () => orNull(some('customer')),
        data: raw,
        amount: () => orNull(this.#random.below(9)),
        greeting: () => orNull('dear'),
      },
    };
    const required = { customer: 'name', part: 'customer_id', order: 'customer_id' }[of];
    const chosen = Object.entries(values[of]).filter(
      ([name]) => (!row && name === required) || this.#random.chance(row ? 0.35 : 0.6),
    );
    const body = Object.fromEntries(chosen.map(([name, valueOf]) => [name, valueOf()]));
    return !row && this.#random.chance(0.02) ? { ...body, [of === 'part' ? 'serial' : 'number']: 'X' } : body;
  }

  #sentOf(write: Write, created: readonly (Token | undefined)[]): Sent {
    const path = pathOf(write.of);
    const named = (id: Token): string => {
      const at = created.indexOf(id);
      return at === -1 ? id.text! : `{result:${at}}`;
    };
    const { body } = write;
    const values = Object.entries(body ?? {}).map(([name, value]) => {
      const at = value instanceof Token ? created.indexOf(value) : -1;
      return [name, at === -1 ? value : { result: at }];
    });
    const sent = body && { body: Object.fromEntries(values) as object };
    if (write.do === 'create') return { method: 'POST', path, ...sent };
    const guard = write.ifMatch !== undefined && { if_match: write.ifMatch };
    const one = `${path}/${named(write.id)}`;
    if (write.do === 'update') return { method: 'PATCH', path: one, ...sent, ...guard };
    if (write.do === 'delete') return { method: 'DELETE', path: one, ...guard };
    return { method: 'POST', path: `${one}/${write.do}`, ...sent, ...guard };
  }

  #try(write: () => Answer): Answer {
    const takeBack = this.#model.begin();
    const answer = attempt(() => {
      const done = write();
      this.#model.end();
      return done;
    });
    if (answer.status >= 300) takeBack();
    return answer;
  }

  async #ask({ method, path, body, if_match: guard }: Sent, key?: string): Promise<Response> {
    const headers = {
      authorization: this.#authorization,
      ...(guard !== undefined && { 'if-match': guard }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const text = body && textOf(body);
    const response = await this.#server.request(method, path, text, headers);
    this.#history.push(`${method} ${path} ${text ?? ''} ${guard ?? ''}\n  ${response.status} ${response.text}`);
    return response;
  }

  #expect({ status, headers, body, text }: Response, expected: Answer): void {
    const isRefused = expected.status >= 300;
    const told = isRefused ? problemOf(body) : body;
    if (status !== expected.status)
      throw new Error(`The contract says ${expected.status} ${textOf(expected.body)}, the server ${status} ${text}`);
    match(expected.body, told, '', text);
    if (isRefused) return;
    const etag = expected.version === undefined ? null : `"${expected.version}"`;
    if (headers.get('etag') !== etag) throw new Error(`The ETag is ${headers.get('etag')}, not ${etag}`);
  }
}

const unknownId = new Token('no id');
unknownId.text = 'nothing';

function attempt(write: () => Answer): Answer {
  try {
    return write();
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

const wordOf = ({ status, body }: Answer, done: string): string =>
  status < 300 ? done : `${status} ${(body as { code: string }).code}`;

const pick = (object: Readonly<Record<string, unknown>>, names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, object[name]]));

/** A problem, as far as the model knows it. */
function problemOf(body: unknown): object {
  const { code, operation, errors } = body as { code: string; operation?: number; errors?: { pointer: string }[] };
  const fields = errors?.map(({ pointer }) => pointer.replace(/^(\/operations\/\d+\/body)?\/?/, ''));
  return { code, ...(operation !== undefined && { operation }), ...(fields && { errors: fields.toSorted() }) };
}

/** The JSON of a value, in which values of any form are as they are sent. */
export function textOf(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (value instanceof Token) return JSON.stringify(value.text);
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}:${textOf(one)}`)
    .join()}}`;
}

/** Compares, and learns the texts of tokens. @param text the whole answer, which has values of any form as they were sent */
function match(expected: unknown, actual: unknown, at: string, text: string): void {
  const fail = (): never => {
    throw new Error(`At ${at} the contract says ${textOf(expected)}, the server ${JSON.stringify(actual)}.`);
  };
  if (expected instanceof Token) {
    if (typeof actual !== 'string') fail();
    expected.text ??= String(actual);
    if (expected.text !== actual) fail();
  } else if (expected instanceof Raw) {
    if (JSON.stringify(actual) !== JSON.stringify(JSON.parse(expected.text)) || !text.includes(expected.text)) fail();
  } else if (typeof expected !== 'object' || expected === null) {
    if (expected !== actual) fail();
  } else {
    if (typeof actual !== 'object' || actual === null) return fail();
    for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)]))
      match(expected[name as never], actual[name as never], `${at}/${name}`, text);
  }
}
