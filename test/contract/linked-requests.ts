import { isDeepStrictEqual } from 'node:util';

import type { FieldError } from '../support/problem.ts';
import type { Random } from '../support/random.ts';
import type { TestServer } from '../support/server.ts';
import { ifMatchOf } from './choices.ts';
import {
  type Answer,
  inverseOf,
  type Kind,
  LinkedModel,
  type Query,
  type Value,
  type World,
  type Write,
} from './linked.ts';

/** A record that an operation of a batch creates. */
interface Upcoming {
  readonly of: Kind;
  readonly id: string;
  readonly at: number;
}

const unknownId = '#0';
const mostRows = 10;
const shownRequests = 12;

/** Sends random requests to the resources of a world, and compares each answer with the model's. */
export class LinkedRequests {
  readonly #server: Pick<TestServer, 'request'>;
  readonly #random: Random;
  readonly #model: LinkedModel;
  /** The ids of the server by those of the model. */
  readonly #ids = new Map([[unknownId, 'nothing']]);
  readonly #history: string[] = [];

  constructor(server: Pick<TestServer, 'request'>, random: Random, world: World) {
    this.#server = server;
    this.#random = random;
    this.#model = new LinkedModel(world);
  }

  /** @returns what the answer is, in a word. @throws Error if it is not as the model says */
  async next(): Promise<string> {
    if (!this.#ids.has('#1')) {
      const { body } = await this.#server.request('GET', this.#model.world.settings.path);
      this.#ids.set('#1', (body as { id: string }).id);
    }
    const kind = this.#random.weighted({ write: 60, batch: 15, read: 25 });
    if (kind === 'read') return this.#read(this.#query());
    const writes: Write[] = [];
    const upcoming: Upcoming[] = [];
    for (let n = kind === 'batch' ? 2 + this.#random.below(4) : 1; n > 0; n--) {
      const write = this.#chooseWrite(upcoming);
      if (write.do === 'create')
        upcoming.push({ of: write.of, id: this.#model.nextId(upcoming.length), at: writes.length });
      writes.push(write);
    }
    return this.#write(writes, upcoming);
  }

  #chooseWrite(upcoming: readonly Upcoming[]): Write {
    const idsOf = (kind: Kind): string[] =>
      [...this.#model.rows, ...upcoming].filter(({ of }) => of === kind).map(({ id }) => id);
    const idOf = (kind: Kind): string =>
      this.#random.chance(0.04) ? unknownId : (this.#random.shuffled(idsOf(kind))[0] ?? unknownId);
    const of = this.#random.weighted<Kind>({ node: 35, pair: 28, item: 40, settings: 5 });
    const isFull = idsOf(of).length >= mostRows;
    const action = this.#random.weighted({ create: isFull ? 0 : 40, update: 30, delete: isFull ? 40 : 14, move: 25 });
    const body: Record<string, Value> = {};
    if (this.#random.chance(0.5)) body['label'] = this.#random.of(['a', 'b', null]);
    for (const [field, { to }] of Object.entries(this.#model.world[of].references))
      if (this.#random.chance(0.6))
        body[field] = this.#random.chance(0.2) ? null : idOf(this.#random.chance(0.03) ? 'item' : this.#random.of(to));
    if (of === 'item' && (action === 'create' || this.#random.chance(0.3)))
      body['node_id'] = idOf(this.#random.chance(0.12) ? 'pair' : 'node');
    if (of !== 'settings' && action === 'create') return { do: 'create', of, body };
    if (of === 'item' && action === 'move') return { do: 'reorder', items: this.#places(idOf) };
    const id = idOf(of);
    const row = this.#model.rows.find((one) => one.id === id);
    const guard = this.#random.chance(0.3) && { ifMatch: ifMatchOf(this.#random, row?.version ?? 1) };
    if (of !== 'settings' && action === 'delete') return { do: 'delete', of, id, ...guard };
    if (of === 'node' && action === 'move')
      return { do: this.#random.of(['submit', 'cancel', 'mark', 'mark']), of, id, ...guard };
    return { do: 'update', of, id, body, ...guard };
  }

  /** Most often those of items of one parent. */
  #places(idOf: (kind: Kind) => string): { id: string; idx: number }[] {
    const first = idOf('item');
    const parentOf = (id: string): Value | undefined =>
      this.#model.rows.find((row) => row.id === id)?.values['node_id'];
    const all = this.#model.rows
      .filter(({ of, id }) => of === 'item' && parentOf(id) === parentOf(first))
      .map(({ id }) => id);
    const others = this.#random.chance(0.8) ? this.#random.shuffled(all).filter((id) => id !== first) : [idOf('item')];
    return [first, ...others].map((id) => ({ id, idx: this.#random.below(5) - 1 }));
  }

  #query(): Query {
    const { world, rows } = this.#model;
    const of = this.#random.of<Kind>(['node', 'pair', 'item']);
    const some = (kind: Kind): string =>
      this.#random.of([unknownId, ...rows.filter((row) => row.of === kind).map(({ id }) => id)]);
    const fields = Object.keys(world[of].references);
    const inverses = (['node', 'pair', 'item'] as const).flatMap((other) =>
      Object.entries(world[other].references).flatMap(([field, { to }]) =>
        to.includes(of) ? [inverseOf(other, field)] : [],
      ),
    );
    const parts = [...fields, ...inverses, ...(of === 'node' ? [world.item.name] : [])];
    const expand = parts.filter(() => this.#random.chance(0.4));
    if (of === 'item') return { of, parent: some('node'), expand };
    if (this.#random.chance(0.3)) return { of, id: some(of), expand };
    const field = this.#random.of(fields);
    const ids = Array.from({ length: 1 + this.#random.below(3) }, () =>
      some(this.#random.of(world[of].references[field]!.to)),
    );
    return {
      of,
      expand,
      ...(this.#random.chance(0.7) && { filter: { field, isNull: this.#random.chance(0.3), ids } }),
    };
  }

  async #read(query: Query): Promise<string> {
    const { of, id, parent, filter, expand } = query;
    const parameters = new URLSearchParams(expand.length > 0 ? { expand: expand.join() } : {});
    if (id === undefined) parameters.set('limit', '1000');
    if (parent !== undefined) parameters.set('parent_id', parent);
    if (filter?.isNull) parameters.set(`${filter.field}[null]`, 'true');
    else if (filter) parameters.set(`${filter.field}[in]`, filter.ids.join());
    const path = `${this.#model.world[of].path}${id === undefined ? '' : `/${id}`}?${decodeURIComponent(parameters.toString())}`;
    this.#expect(await this.#ask('GET', path), this.#model.read(query));
    return id === undefined ? 'list' : 'retrieve';
  }

  async #write(writes: readonly Write[], upcoming: readonly Upcoming[]): Promise<string> {
    const expected = this.#model.write(writes);
    const operations = writes.map((write) => this.#operationOf(write));
    const [single] = operations;
    const isBatch = operations.length > 1;
    const answer = isBatch
      ? await this.#ask('POST', '/api/batch', { operations }, upcoming)
      : await this.#ask(single!.method, single!.path, single!.body, [], single!.if_match);
    if (!Array.isArray(expected)) {
      this.#expect(answer, expected as Answer);
      return `${answer.status} ${(answer.body as { code: string }).code}`;
    }
    const answers = isBatch ? ((answer.body as { results?: Answer[] }).results ?? []) : [answer];
    const all = expected as readonly Answer[];
    for (const [at, { status: done, body: record }] of all.entries()) {
      const made = answers[at]?.body as { id?: string } | undefined;
      if (done === 201 && made?.id !== undefined) this.#ids.set((record as { id: string }).id, made.id);
    }
    for (const [at, one] of all.entries()) this.#expect(answers[at] ?? answer, one);
    return isBatch ? 'batch' : writes[0]!.do;
  }

  #operationOf(write: Write): { method: string; path: string; body?: object; if_match?: string } {
    const { world } = this.#model;
    if (write.do === 'reorder')
      return { method: 'POST', path: `${world.item.path}/reorder`, body: { items: write.items } };
    const { path } = world[write.of];
    if (write.do === 'create') return { method: 'POST', path, body: write.body };
    const one = `${path}/${write.id}`;
    const guard = write.ifMatch !== undefined && { if_match: write.ifMatch };
    if (write.do === 'update') return { method: 'PATCH', path: one, body: write.body, ...guard };
    if (write.do === 'delete') return { method: 'DELETE', path: one, ...guard };
    return { method: 'POST', path: `${one}/${write.do}`, ...guard };
  }

  async #ask(
    method: string,
    path: string,
    body?: object,
    upcoming: readonly Upcoming[] = [],
    ifMatch?: string,
  ): Promise<Answer> {
    const created = new Map(upcoming.map(({ id, at }) => [id, at]));
    const text = JSON.stringify(body ?? null)
      .replaceAll(/"(#\d+)"/g, (whole, id: string) => (created.has(id) ? `{"result":${created.get(id)}}` : whole))
      .replaceAll(/#\d+/g, (id) => (created.has(id) ? `{result:${created.get(id)}}` : this.#idOf(id)));
    const target = path.replaceAll(/#\d+/g, (id) => this.#idOf(id));
    const guard = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    const sent = body && (JSON.parse(text) as object);
    const { status, headers, body: answered, text: shown } = await this.#server.request(method, target, sent, guard);
    const etag = headers.get('etag');
    this.#history.push(`${method} ${target} ${text} ${ifMatch ?? ''}\n  ${status} ${etag} ${shown}`);
    return { status, ...(etag !== null && { etag }), body: answered };
  }

  #idOf = (id: string): string => this.#ids.get(id) ?? id;

  #expect(answer: Answer, expected: Answer): void {
    const wanted = JSON.parse(JSON.stringify(expected).replaceAll(/#\d+/g, (id) => this.#idOf(id))) as Answer;
    const comparedIn = ({ status, etag, body }: Answer): unknown => ({ status, etag, body: compared(body) });
    if (isDeepStrictEqual(comparedIn(answer), comparedIn(wanted))) return;
    const world = JSON.stringify(Object.values(this.#model.world).map(({ name, references }) => [name, references]));
    throw new Error(
      `The contract says ${JSON.stringify(wanted)}\n${world}\n${this.#history.slice(-shownRequests).join('\n')}`,
    );
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The parts of an answer that the model knows, in one order. */
function compared(body: unknown): unknown {
  if (!isObject(body)) return body;
  if (!('code' in body)) {
    const isTime = (key: string): boolean => key === 'created_at' || key === 'updated_at';
    return JSON.parse(JSON.stringify(body), (key, value: unknown) => (isTime(key) ? undefined : value));
  }
  const { code, operation, errors = {}, referenced_by: by = [] } = body;
  const pointed = Array.isArray(errors)
    ? (errors as FieldError[]).map((error) => [error.pointer.replace(/^(\/operations\/\d+\/body)?\//, ''), error.code])
    : Object.entries(errors as object);
  const referring = (by as { resource: string; field: string; ids: string[] }[]).map(
    ({ resource, field, ids }) => `${resource} ${field} ${ids.toSorted().join()}`,
  );
  return { code, operation, errors: Object.fromEntries(pointed) as unknown, referring: referring.toSorted() };
}
