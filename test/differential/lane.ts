import { type Field, isWritable, type LineItem, type Resource } from '../support/resources.ts';
import type { Json, Stored } from '../support/records.ts';
import type { Random } from '../support/random.ts';
import { anyValue, rightValue } from './values.ts';

/** A request in the words of the first server: its ids are replaced by the other server's before that one gets it. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** The record whose times stand in the body, as `timeOf` spells them: each server gets its own. */
  readonly times?: string;
}

/** The placeholder of a record's time in a body. */
export const timeOf = (name: 'created_at' | 'updated_at'): string => `<the server's own ${name}>`;

/** Longer than an index may hold, and than it can be made by leaving out what repeats. */
const longParent = Array.from({ length: 1_500 }, (_, n) =>
  String.fromCodePoint(0x4e00 + ((n * n * 7_919) % 20_000)),
).join('');

type Body = Record<string, Json>;

const kinds = {
  create: 24,
  createWrong: 9,
  retrieve: 10,
  list: 14,
  listWrong: 3,
  update: 16,
  updateWrong: 7,
  sendBack: 5,
  remove: 12,
  move: 2,
  reorder: 7,
  method: 3,
  odd: 2,
};

/** Makes the requests to some resources, and knows which records they have; what other lanes do does not change them. */
export class Lane {
  readonly #resources: readonly Resource[];
  readonly #random: Random;
  /** The records there are, as the first server answered them last, by resource. */
  readonly #there = new Map<string, Stored[]>();
  readonly #gone: string[] = [];
  /** Ids of records that no lane has made. */
  readonly #foreign: readonly string[];

  constructor(resources: readonly Resource[], random: Random, foreign: readonly string[]) {
    this.#resources = resources;
    this.#random = random;
    this.#foreign = foreign;
    for (const { name } of resources) this.#there.set(name, []);
  }

  next(): Request {
    const resource = this.#random.of(this.#resources);
    const moves = this.#resources.some(({ operations }) => operations.includes('submit'));
    switch (this.#random.weighted(moves ? { ...kinds, move: 20 } : kinds)) {
      case 'create':
        return this.#create(resource);
      case 'createWrong':
        return this.#spoilt('POST', resource.path, this.#body(resource, true));
      case 'retrieve':
        return { method: this.#random.chance(0.1) ? 'HEAD' : 'GET', path: this.#one(resource) };
      case 'list':
        return this.#list(resource);
      case 'listWrong':
        return this.#listWrong(resource);
      case 'update':
        return this.#json('PATCH', this.#one(resource), this.#body(resource, false));
      case 'updateWrong':
        return this.#spoilt('PATCH', this.#one(resource), this.#body(resource, false));
      case 'sendBack':
        return this.#sendBack(resource);
      case 'remove':
        return { method: 'DELETE', path: this.#one(resource) };
      case 'move':
        return this.#move(resource);
      case 'reorder':
        return this.#reorder(resource);
      case 'method':
        return this.#method(resource);
      case 'odd':
        return this.#odd(resource);
    }
  }

  /** Takes note of what the first server has answered. */
  learn(request: Request, status: number, body: unknown): void {
    const resource = this.#resources.find(({ path }) => request.path === path || request.path.startsWith(`${path}/`));
    if (!resource || status >= 300) return;
    const there = this.#there.get(resource.name) as Stored[];
    const answer = body as Stored | undefined;
    if (request.method === 'DELETE' && answer) {
      this.#gone.push(answer.id);
      for (const [name, stored] of this.#there) {
        this.#there.set(
          name,
          stored.filter((record) => record.id !== answer.id && !Object.values(record).includes(answer.id)),
        );
      }
    } else if (typeof answer?.id === 'string') {
      const place = there.findIndex(({ id }) => id === answer.id);
      if (place >= 0) there[place] = answer;
      else there.push(answer);
    }
  }

  #json(method: string, path: string, body: Json): Request {
    const type = method === 'PATCH' && this.#random.chance(0.2) ? 'application/merge-patch+json' : 'application/json';
    return { method, path, body: JSON.stringify(body), headers: { 'content-type': type } };
  }

  #create(resource: Resource): Request {
    return this.#json('POST', resource.path, this.#body(resource, true));
  }

  /** Values for some of the fields, and for all that a create needs. */
  #body(resource: Resource, whole: boolean): Body {
    const share = this.#random.next();
    const wanted = (field: Field): boolean =>
      (whole && field[2]?.required === true) ||
      (field[0] === 'idx' ? this.#random.chance(0.2) : this.#random.chance(share));
    const body: Body = Object.fromEntries(
      resource.fields
        .filter((field) => isWritable(field) && wanted(field))
        .map((field) => [field[0], rightValue(field, this.#random)]),
    );
    if (resource.kind === 'line-item' && (whole || this.#random.chance(0.2))) {
      body[resource.parentField] = this.#parent(resource);
      if (resource.parentTypeField) body[resource.parentTypeField] = this.#random.of(['Customer', 'Customer', 'Item']);
    }
    return body;
  }

  #parent(item: LineItem): Json {
    if (this.#random.chance(0.08)) {
      return this.#random.of(['', 'none', 'é 🙂', '__proto__', longParent, `${longParent}.`, this.#strange()]);
    }
    if (!item.parentResource) {
      if (item.parentTypeField && this.#random.chance(0.1)) return null;
      return this.#random.of(['one', 'two', 'Three', 'the 4th & "last" / 5+6?#%20']);
    }
    return this.#known(item.parentResource)?.id ?? 'none';
  }

  #known(name: string): Stored | undefined {
    const there = this.#there.get(name) ?? [];
    return there.length === 0 ? undefined : this.#random.of(there);
  }

  /** An id that is none of this resource, or no more. */
  #strange(): string {
    const { name } = this.#random.of(this.#resources);
    const ids = [
      this.#gone.at(-1 - this.#random.below(5)),
      this.#random.of([...this.#foreign, '']),
      this.#known(name)?.id,
      this.#known(name)?.id.toLowerCase(),
      `${name}_00000000000000000000000000`,
      `${name}_ZZZZZZZZZZZZZZZZZZZZZZZZZZ`,
      '0',
      'null',
      '__proto__',
      "' or 1=1 --",
      '\0',
      'a\0',
      'é🙂',
      '..',
      'a/b',
      '%',
      'x'.repeat(3_000),
    ];
    return this.#random.of(ids) ?? 'none';
  }

  #one(resource: Resource): string {
    const known = this.#random.chance(0.85) ? this.#known(resource.name)?.id : undefined;
    return `${resource.path}/${encodeURIComponent(known ?? this.#strange())}`;
  }

  #list(resource: Resource): Request {
    const query = new URLSearchParams();
    if (resource.kind === 'line-item') query.set('parent_id', String(this.#parent(resource)));
    if (this.#random.chance(0.7)) query.set('limit', String(this.#random.of([1, 2, 3, 5, 20, 20, 1000])));
    if (this.#random.chance(0.4)) query.set('offset', String(this.#random.of([0, 1, 2, 5, 1e6, 2 ** 53 - 1])));
    else if (this.#random.chance(0.5)) {
      const known = this.#random.chance(0.7) ? this.#known(resource.name)?.id : undefined;
      query.set('after', known ?? this.#strange());
    }
    const text = query.toString();
    const method = this.#random.chance(0.05) ? 'HEAD' : 'GET';
    return { method, path: text === '' ? resource.path : `${resource.path}?${text}` };
  }

  #listWrong(resource: Resource): Request {
    const wrong = [
      'limit=0',
      'limit=1001',
      'limit=-1',
      'limit=1.5',
      'limit=',
      'limit=%31',
      'limit=1&limit=1',
      'offset=-1',
      'offset=9007199254740992',
      'ofset=1',
      'parent_id=a&parent_id=b',
      'parent_id=',
      'parent_id=%00',
      'parent_id=%ff',
      'parent_id=one&after=',
      'after=a&offset=1',
      'after=a&after=b',
      'after=%00',
      '__proto__=1',
      '=',
      '&',
      '',
    ];
    const parent = resource.kind === 'line-item' && this.#random.chance(0.5) ? 'parent_id=one&' : '';
    return { method: 'GET', path: `${resource.path}?${parent}${this.#random.of(wrong)}` };
  }

  /** A request whose body is wrong in one way or several, or looks so. */
  #spoilt(method: string, path: string, body: Body): Request {
    const names = Object.keys(body);
    const json = JSON.stringify(body);
    const sent = (text: string | Uint8Array, type = 'application/json'): Request => ({
      method,
      path,
      body: text,
      headers: { 'content-type': type },
    });
    switch (this.#random.below(12)) {
      case 0:
        return this.#json(method, path, { ...body, [this.#random.of(['x', 'Id', 'titel', 'constructor', '1'])]: 1 });
      case 1:
        return sent(json.replace('{', `{"__proto__":{"a":1}${names.length > 0 ? ',' : ''}`));
      case 2:
        return sent(json.slice(0, -1));
      case 3:
        return sent(this.#random.of(['', ' ', 'null', '[]', '"a"', '1', '{}', '{"a":1}x', '\ufeff{}', "{'a':1}"]));
      case 4:
        return sent(Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from([0xff, 0xfe])]));
      case 5:
        return sent(json, this.#random.of(['text/plain', 'application/json; charset=latin1', 'application/jsonx']));
      case 6:
        return this.#json(method, path, {
          ...body,
          [this.#random.of(['id', 'created_at', 'updated_at'])]: this.#random.of(['x', null, 1]),
        });
      case 7:
        return { method, path };
      default: {
        for (let n = this.#random.below(3); n >= 0; n--) {
          const name = this.#random.of(names.length > 0 ? names : ['id']);
          if (this.#random.chance(0.3)) delete body[name];
          else body[name] = anyValue(this.#random);
        }
        return this.#json(method, path, body);
      }
    }
  }

  /** A record as it was read, changed perhaps: what the service sets is in it. */
  #sendBack(resource: Resource): Request {
    const known = this.#known(resource.name);
    if (!known) return this.#create(resource);
    const body: Body = { ...known, ...(this.#random.chance(0.5) ? this.#body(resource, false) : {}) };
    for (const name of ['created_at', 'updated_at'] as const) if (name in known) body[name] = timeOf(name);
    // The servers have computed their own.
    for (const [name, , options] of resource.fields) if (options?.isTimed) delete body[name];
    return { ...this.#json('PATCH', `${resource.path}/${known.id}`, body), times: known.id };
  }

  /** A transition, mostly of a record that may make it: few resources have any. */
  #move(resource: Resource): Request {
    const action = this.#random.of(['submit', 'cancel'] as const);
    const able = this.#resources.filter(({ operations }) => operations.includes(action));
    const target = able.length > 0 && this.#random.chance(0.9) ? this.#random.of(able) : resource;
    const state = action === 'submit' ? 'draft' : 'submitted';
    const ready = (this.#there.get(target.name) ?? []).filter(({ status }) => status === state);
    const isReady = able.includes(target) && ready.length > 0 && this.#random.chance(0.7);
    const path = `${isReady ? `${target.path}/${this.#random.of(ready).id}` : this.#one(target)}/${action}`;
    return this.#random.chance(0.9) ? { method: 'POST', path } : this.#json('POST', path, { status: 'x' });
  }

  #reorder(resource: Resource): Request {
    const path = `${resource.path}/reorder`;
    const there = this.#there.get(resource.name) as Stored[];
    const first = there.length > 0 ? this.#random.of(there) : undefined;
    const parentField = resource.kind === 'line-item' ? resource.parentField : 'id';
    const siblings = there.filter((item) => item[parentField] === first?.[parentField]);
    const named = this.#random.shuffled(siblings).slice(0, 1 + this.#random.below(10));
    const items: Json[] = named.map(({ id }) => ({ id, idx: this.#random.below(20) - 3 }));
    if (this.#random.chance(0.3)) {
      const other = this.#known(resource.name)?.id ?? 'none';
      const extra = [
        { id: this.#strange(), idx: 1 },
        { id: other, idx: Number.MAX_SAFE_INTEGER },
        { id: first?.id ?? '', idx: 2 },
        { id: other, idx: 1.5 },
        { idx: 1 },
        null,
      ];
      items.splice(this.#random.below(items.length + 1), 0, this.#random.of(extra));
    }
    return this.#json('POST', path, { items });
  }

  #method(resource: Resource): Request {
    const path = this.#random.chance(0.5) ? resource.path : this.#one(resource);
    return { method: this.#random.of(['PUT', 'HEAD', 'OPTIONS', 'DELETE', 'POST', 'PATCH', 'GET']), path };
  }

  #odd({ path }: Resource): Request {
    const requests: Request[] = [
      { method: 'GET', path: `${path}/` },
      { method: 'GET', path: `${path}s` },
      { method: 'GET', path: path.toUpperCase() },
      { method: 'GET', path: `${path}/a/b/c` },
      { method: 'GET', path: `${path}/%` },
      { method: 'GET', path: `${path}/%ff` },
      { method: 'GET', path, headers: { authorization: '' } },
      { method: 'GET', path, headers: { authorization: 'Bearer wrong' } },
      { method: 'GET', path: '/healthz' },
      { method: 'GET', path: '/readyz' },
      { method: 'GET', path: '/' },
    ];
    return this.#random.of(requests);
  }
}
