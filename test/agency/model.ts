/** A text that the server chooses: the id of a record, a time or who makes requests. It is known once an answer has shown it. */
export class Token {
  readonly name: string;
  text: string | undefined;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value of a field of any form, as it is sent: without white space. */
export class Raw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Value = string | number | null | Token | Raw;
export type Body = Readonly<Record<string, Value>>;
export const resources = ['customer', 'part', 'order'] as const;
export type Resource = (typeof resources)[number];

export interface Row {
  readonly of: Resource;
  readonly id: Token;
  /** Its place in the order of creation. */
  readonly key: number;
  readonly version: number;
  readonly values: Body;
}

export interface Event {
  readonly of: Resource;
  readonly record: Token;
  readonly operation: string;
  readonly version: number;
  readonly changes: Readonly<Record<string, readonly [Value, Value]>>;
  /** The row after the event; before it, of a delete. */
  readonly row: Row;
  /** Which request it belongs to. */
  readonly request: number;
  number?: number;
}

export type Write =
  | { readonly do: 'create'; readonly of: Resource; readonly body: Body }
  | { readonly do: 'update'; readonly of: Resource; readonly id: Token; readonly body: Body; readonly ifMatch?: string }
  | {
      readonly do: 'delete' | 'archive' | 'unarchive' | keyof typeof moves;
      readonly of: Resource;
      readonly id: Token;
      readonly body?: Body;
      readonly ifMatch?: string;
    };

export interface Answer {
  readonly status: number;
  /** Without one, the answer has no ETag. */
  readonly version?: number;
  readonly body: unknown;
}

/** Why a write is refused. */
export class Refusal {
  readonly answer: Answer;

  constructor(status: number, code: string, fields: readonly string[] = []) {
    this.answer = { status, body: { code, ...(fields.length > 0 && { errors: fields.toSorted() }) } };
  }
}

/** The transitions of customers and orders. Some keep the state. */
export const moves = {
  block: { of: 'customer', from: ['active'], set: { status: 'blocked' } },
  unblock: { of: 'customer', from: ['blocked'], set: { status: 'active' } },
  greet: { of: 'customer', from: ['active', 'blocked'], set: { greeting: 'hello' } },
  forget: { of: 'customer', from: ['active'], set: { greeting: null, greeted_by: null } },
  finish: { of: 'order', from: ['open'], set: { status: 'done' } },
  reopen: { of: 'order', from: ['done'], set: { status: 'open', place: null } },
  mark: { of: 'order', from: ['open', 'done'], set: { mark: 'marked', amount: null } },
} as const;

const none: Readonly<Record<Resource, Body>> = {
  customer: {
    number: null,
    name: null,
    code: null,
    settings: null,
    status: 'active',
    greeting: null,
    greeted_by: null,
    until: null,
    entered_by: null,
    total: 0,
    part_count: 0,
    due: 0,
    order_count: 0,
    best_deal: null,
    archived_at: null,
  },
  part: { customer_id: null, idx: null, serial: null, amount: 1, order_id: null },
  order: {
    number: null,
    customer_id: null,
    agent_id: null,
    data: null,
    amount: null,
    status: 'open',
    mark: null,
    greeting: null,
    place: null,
    archived_at: null,
  },
};

const references = {
  customer: {},
  part: { order_id: 'order' },
  order: { customer_id: 'customer', agent_id: 'customer' },
} as const satisfies Readonly<Record<Resource, Readonly<Record<string, Resource>>>>;

const sequences = { customer: ['number', 'C'], part: ['serial', 'P'], order: ['number', 'O'] } as const;

const lockingState = { customer: 'blocked', order: 'done' } as const;

/** Fields that no client sets, nor an undo sets back. */
const followed = new Set(
  'edited_by edited_at total part_count due order_count best_deal number serial created_at updated_at'.split(' '),
);

const mostOpenOrders = 3;
const mostOfAgents = 20;
const maxBytes = 200;

const fits = (text: string): boolean => Buffer.byteLength(text) <= maxBytes;

/** The records of an organization of the agency, as the contract says that they are. */
export class Model {
  #rows: ReadonlyMap<Token, Row> = new Map();
  #events: readonly Event[] = [];
  #counts: Readonly<Record<Resource, number>> = { customer: 0, part: 0, order: 0 };
  #request = 0;
  #lastKey = 0;
  /** The customers whose totals the writes of the request change, with the next write that names or reads them or at the end. */
  readonly #stale = new Set<Value>();
  #time = new Token('time');
  readonly #actor = new Token('actor');

  get rows(): readonly Row[] {
    return [...this.#rows.values()].toSorted((a, b) => a.key - b.key);
  }

  get events(): readonly Event[] {
    return this.#events;
  }

  find(id: Value | undefined): Row | undefined {
    return this.#rows.get(id as Token);
  }

  /** Starts a request. @returns what takes it back, if it is refused */
  begin(): () => void {
    const [rows, events, counts] = [this.#rows, this.#events, this.#counts];
    this.#request++;
    this.#stale.clear();
    return () => {
      [this.#rows, this.#events, this.#counts] = [rows, events, counts];
    };
  }

  /** Ends a request whose writes are done. */
  end(): void {
    for (const id of Array.from(this.#stale)) this.#recount(id);
  }

  /** @throws Refusal */
  write(write: Write): Answer {
    this.#time = new Token('time');
    if (write.do === 'create') return this.#create(write.of, write.body);
    this.#checkBody(write.body ?? {}, write.do);
    const row = this.find(write.id);
    if (row?.of !== write.of) throw new Refusal(404, 'not_found');
    const { ifMatch = '*' } = write;
    if (ifMatch !== '*' && !ifMatch.split(', ').includes(`"${row.version}"`)) throw new Refusal(412, 'stale');
    if (write.do !== 'delete') this.#recountAgent(write.of, { ...row.values, ...write.body });
    switch (write.do) {
      case 'update':
        return this.#update(row, write.body);
      case 'delete':
        return this.#delete(row);
      case 'archive':
      case 'unarchive':
        return this.#archive(row, write.do);
      default:
        return this.#move(row, write.do, write.body ?? {});
    }
  }

  /** @throws Refusal */
  undo(event: Event): Answer {
    this.#time = new Token('time');
    const changedSince = new Refusal(409, 'changed_since');
    if (event.operation === 'delete') return this.#restore(event, changedSince);
    const row = this.find(event.record);
    if (event.operation === 'create') {
      if (row?.version !== event.version) throw changedSince;
      const isNamed = this.rows.some((other) => other !== row && Object.values(other.values).includes(row.id));
      return this.#delete(row, isNamed ? changedSince : undefined);
    }
    const changes = Object.entries(event.changes).filter(([name]) => !followed.has(name));
    if (changes.length === 0 || !row) throw changedSince;
    const isMove = event.operation in moves;
    const set = Object.fromEntries(changes.map(([name, [before]]) => [name, before]));
    const isAsLeft =
      changes.every(([name, [, after]]) => isSame(row.values[name] ?? null, after)) &&
      (!isMove ||
        'status' in set ||
        moves[event.operation as keyof typeof moves].from.some((state) => state === row.values['status']));
    if (!isAsLeft) throw changedSince;
    const repeated = event.operation === 'update' && Object.entries(moves).find(([, move]) => isTakenBack(move, event));
    if (repeated) return this.#move(row, repeated[0] as keyof typeof moves, {}, set);
    if (!('archived_at' in set)) this.#checkLock(row, set, isMove);
    if (row.of === 'part') this.#checkParents([row.values['customer_id']!, set['customer_id'] ?? null]);
    this.#checkTargets(row.of, set);
    this.#checkRules(row.of, { ...row.values, ...set });
    return this.#answer(this.#put(row, set, 'update'));
  }

  page(rows: readonly Row[], expand: readonly string[] = [], limit = 100, offset = 0): object {
    const data = rows.slice(offset, offset + limit).map((row) => this.shown(row, expand));
    return { data, has_more: offset + limit < rows.length, total: rows.length };
  }

  /** A record as it is answered. */
  shown({ id, values }: Row, expand: readonly string[] = []): object {
    const naming = (other: Resource, field: string): Row[] =>
      this.rows.filter((row) => row.of === other && row.values[field] === id);
    const listed = (rows: readonly Row[]): object =>
      this.page(rows.filter((row) => (row.values['archived_at'] ?? null) === null).toReversed());
    const parts: Readonly<Record<string, () => object | null>> = {
      orders: () => listed(naming('order', 'customer_id')),
      deals: () => listed(naming('order', 'agent_id')),
      parts: () => listed(naming('part', 'order_id')),
      part: () => this.page(this.itemsOf(id)),
    };
    const expanded = expand.map((name) => {
      const target = this.find(values[name]);
      return [name.replace(/_id$/, ''), parts[name]?.() ?? (target ? this.shown(target) : null)];
    });
    return { ...values, ...Object.fromEntries(expanded) };
  }

  itemsOf(parent: Value): Row[] {
    const items = this.rows.filter((row) => row.of === 'part' && row.values['customer_id'] === parent);
    return items.toSorted((a, b) => Number(a.values['idx']) - Number(b.values['idx']));
  }

  #answer = (row: Row): Answer => ({ status: 200, version: row.version, body: this.shown(row) });

  #checkBody(body: Body, operation: string): void {
    const wrong = Object.entries(body).filter(
      ([name, value]) =>
        (value instanceof Raw && !fits(value.text)) ||
        (name === 'name' && value === null) ||
        (operation === 'create' && followed.has(name)),
    );
    if (wrong.length > 0)
      throw new Refusal(
        422,
        'invalid_body',
        wrong.map(([name]) => name),
      );
  }

  #create(of: Resource, body: Body): Answer {
    this.#checkBody(body, 'create');
    if (of === 'order') this.#checkOpenOrders(body['customer_id']!);
    if (of === 'part') this.#checkParents([body['customer_id']!]);
    this.#recountAgent(of, body);
    const isCopied = of === 'order' && !('greeting' in body);
    this.#checkTargets(of, body);
    this.#checkRules(of, body);
    const greeting = this.find(body['customer_id'])?.values['greeting'] ?? null;
    const [numberField, letter] = sequences[of];
    const number = `${letter}-${String(this.#counts[of] + 1).padStart(2, '0')}`;
    const idx = 1 + Number(this.itemsOf(body['customer_id'] ?? null).at(-1)?.values['idx'] ?? 0);
    const id = new Token('id');
    const values = {
      id,
      ...none[of],
      ...(of === 'part' && { idx }),
      ...body,
      ...(isCopied && { greeting }),
      [numberField]: number,
      ...(of === 'customer' && { entered_by: this.#actor }),
      ...(of !== 'part' && { created_at: this.#time }),
    };
    this.#lastKey++;
    const row = { of, id, key: this.#lastKey, version: 0, values };
    this.#counts = { ...this.#counts, [of]: this.#counts[of] + 1 };
    return { ...this.#answer(this.#put(row, {}, 'create')), status: 201 };
  }

  /** The hook of orders. */
  #checkOpenOrders(customer: Value): void {
    const isOpen = ({ values }: Row): boolean =>
      values['customer_id'] === customer && values['status'] === 'open' && values['archived_at'] === null;
    if (this.rows.filter((row) => row.of === 'order' && isOpen(row)).length >= mostOpenOrders)
      throw new Refusal(422, 'too_many', ['customer_id']);
  }

  #checkTargets(of: Resource, set: Body): void {
    const missing = Object.entries(references[of]).filter(
      ([name, target]) => (set[name] ?? null) !== null && this.find(set[name])?.of !== target,
    );
    if (missing.length > 0)
      throw new Refusal(
        409,
        'reference_missing',
        missing.map(([name]) => name),
      );
  }

  #checkParents(parents: readonly Value[]): void {
    for (const id of new Set(parents.filter((parent) => parent !== null))) {
      const parent = this.find(id);
      if (parent?.of !== 'customer') throw new Refusal(409, 'parent_missing');
      this.#checkLock(parent, { total: 0 });
    }
  }

  #isLocked({ of, values }: Row): boolean {
    if (of === 'part') return this.#isLocked(this.find(values['customer_id'])!);
    return values['archived_at'] !== null || values['status'] === lockingState[of];
  }

  /** @param isMove whether only the archive locks it */
  #checkLock(row: Row, set: Body, isMove = false): void {
    const isFree = Object.keys(set).length > 0 && Object.keys(set).every((name) => name === 'settings');
    const isArchived = (row.values['archived_at'] ?? null) !== null;
    if (row.of === 'part') return;
    if (isArchived || (!isMove && !isFree && this.#isLocked(row))) throw new Refusal(409, 'locked');
  }

  #update(row: Row, body: Body): Answer {
    const set = Object.fromEntries(Object.entries(body).filter(([name, value]) => !isSame(row.values[name]!, value)));
    if (Object.keys(set).length === 0) return this.#answer(this.#recount(row.id) ?? row);
    this.#checkLock(row, set);
    if (row.of === 'part') this.#checkParents([row.values['customer_id']!, set['customer_id'] ?? null]);
    this.#checkTargets(row.of, set);
    this.#checkRules(row.of, { ...row.values, ...set });
    return this.#answer(this.#put(row, set, 'update'));
  }

  #move(row: Row, name: keyof typeof moves, input: Body, set: Body = moves[name].set): Answer {
    const { from } = moves[name];
    if (!from.some((state) => state === row.values['status'])) throw new Refusal(409, 'wrong_state');
    this.#checkLock(row, {}, true);
    const extra: Record<string, Value> = {};
    if (name === 'greet') {
      extra['greeted_by'] = this.#actor;
      extra['until'] = input['until'] ?? null;
    }
    if (name === 'finish') {
      const { customer_id: customer = null } = row.values;
      extra['place'] = this.rows.filter(
        ({ of, values }) =>
          of === 'order' &&
          values['customer_id'] === customer &&
          values['status'] === 'done' &&
          values['archived_at'] === null,
      ).length;
    }
    const answer = this.#answer(this.#put(row, { ...set, ...extra }, name));
    if (name === 'finish') {
      // The write of a hook comes next, and has a time of its own.
      this.#time = new Token('time');
      this.#move(this.find(row.values['customer_id'])!, 'greet', { until: '2030-01-01' });
    }
    return answer;
  }

  #archive(row: Row, operation: 'archive' | 'unarchive'): Answer {
    const isArchived = row.values['archived_at'] !== null;
    if (isArchived === (operation === 'archive')) throw new Refusal(409, 'wrong_state');
    return this.#answer(this.#put(row, { archived_at: isArchived ? null : new Token('time') }, operation));
  }

  #delete(row: Row, ifAlone?: Refusal): Answer {
    this.#checkLock(row, {});
    if (row.of === 'part') this.#checkParents([row.values['customer_id']!]);
    const isNaming = (field: string) => (other: Row) => other.values[field] === row.id;
    if (this.rows.some((other) => other.of === 'order' && isNaming('customer_id')(other)))
      throw new Refusal(409, 'still_referenced');
    if (ifAlone) throw ifAlone;
    const field = row.of === 'customer' ? 'agent_id' : 'order_id';
    const cleared = row.of === 'part' ? [] : this.rows.filter(isNaming(field));
    const items = row.of === 'customer' ? this.itemsOf(row.id) : [];
    for (const other of cleared) if (this.#isLocked(other)) throw new Refusal(409, 'locked');
    for (const other of cleared) {
      this.#checkRules(other.of, { ...other.values, [field]: null }, true);
      this.#put(other, { [field]: null }, 'update');
    }
    for (const gone of [row, ...items]) {
      this.#stale.delete(gone.id);
      this.#rows = new Map([...this.#rows].filter(([id]) => id !== gone.id));
      this.#note('delete', { ...gone, version: gone.version + 1 }, changesOf(gone.values, {}));
    }
    this.#makeStale(row.of, row.values);
    return { status: 200, body: { id: row.id, deleted: true } };
  }

  #restore({ row, record, version, request }: Event, changedSince: Refusal): Answer {
    if (row.of === 'order') this.#checkOpenOrders(row.values['customer_id']!);
    const isSince = this.#events.some((event) => event.record === record && event.version > version);
    if (isSince) throw changedSince;
    if (row.of === 'part') this.#checkParents([row.values['customer_id']!]);
    this.#checkTargets(row.of, row.values);
    this.#checkRules(row.of, row.values);
    const items = this.#events.filter(
      (event) =>
        row.of === 'customer' &&
        event.request === request &&
        event.operation === 'delete' &&
        event.row.values['customer_id'] === record,
    );
    const restored = this.#put(row, {}, 'create');
    // It has the totals that it had until all of it is restored.
    if (row.of === 'customer') this.#stale.add(row.id);
    for (const item of items) {
      if (this.find(item.record)) throw changedSince;
      this.#checkTargets('part', item.row.values);
      this.#put(item.row, {}, 'create');
    }
    return this.#answer(this.#recount(row.id) ?? restored);
  }

  /** Stores a row with these values: a request that changes it, or makes it. */
  #put(row: Row, set: Body, operation: string): Row {
    const before = this.find(row.id);
    this.#checkRules(row.of, { ...row.values, ...set });
    this.#checkUnique(row, set);
    const isRestored = operation === 'create' && row.version > 0;
    const stamps = { edited_by: this.#actor, edited_at: isRestored ? new Token('time') : this.#time };
    const totals = this.#stale.delete(row.id) ? this.#totalsOf(row.id) : {};
    const after = this.#save(row, { ...set, ...stamps, ...totals }, operation);
    for (const { of, values } of [before ?? after, after]) this.#makeStale(of, values);
    return after;
  }

  /** The totals of what it names may change. */
  #makeStale(of: Resource, { customer_id: customer = null, agent_id: agent = null }: Body): void {
    if (of !== 'customer') for (const id of [customer, agent]) if (id !== null) this.#stale.add(id);
  }

  /** The rules of orders: they read the records that are there. @param isOther whether another record is written, whose fields are in no body */
  #checkRules(of: Resource, values: Body, isOther = false): void {
    if (of !== 'order') return;
    const [customer, agent] = [this.find(values['customer_id']), this.find(values['agent_id'])];
    const errors = [
      ...((customer?.values['status'] ?? 'active') === 'active' ? [] : ['customer_id']),
      ...((agent?.values['archived_at'] ?? null) === null ? [] : ['agent_id']),
      ...(Number(agent?.values['total'] ?? 0) <= mostOfAgents ? [] : ['agent_id']),
    ];
    if (errors.length > 0) throw new Refusal(422, 'rule_violated', isOther ? errors.map(() => '') : errors);
  }

  /** The agent of an order, whose total its rules read, is as it has to be. */
  #recountAgent(of: Resource, { agent_id: agent = null }: Body): void {
    if (of === 'order') this.#recount(agent);
  }

  #checkUnique({ of, id, values }: Row, set: Body): void {
    const code = 'code' in set ? set['code'] : values['code'];
    if (of !== 'customer' || typeof code !== 'string') return;
    const isClash = this.rows.some(
      (other) => other.id !== id && String(other.values['code'] ?? '').toLowerCase() === code.toLowerCase(),
    );
    if (isClash) throw new Refusal(409, 'not_unique', ['code']);
  }

  #save(row: Row, set: Body, operation: string, time = this.#time): Row {
    const before = this.find(row.id)?.values ?? {};
    const values = { ...row.values, ...set, ...(row.of !== 'part' && { updated_at: time }) };
    const after = { ...row, version: row.version + 1, values };
    this.#rows = new Map(this.#rows).set(row.id, after);
    this.#note(operation, after, changesOf(before, values));
    return after;
  }

  #totalsOf(parent: Value): Body {
    const items = this.itemsOf(parent);
    const total = items.reduce((sum, { values }) => sum + Number(values['amount']), 0);
    const orders = this.rows.filter(({ of }) => of === 'order').map(({ values }) => values);
    const own = orders.filter(({ customer_id: customer }) => customer === parent);
    const amounts = orders.flatMap(({ agent_id: agent, amount }) => (agent === parent ? [amount ?? []] : [])).flat();
    return {
      total,
      part_count: items.length,
      due: own.reduce((sum, { status, amount }) => sum + (status === 'open' ? Number(amount) : 0), 0),
      order_count: own.filter(({ archived_at: time }) => time === null).length,
      best_deal: amounts.length > 0 ? Math.max(...amounts.map(Number)) : null,
    };
  }

  #recount(parent: Value): Row | undefined {
    const row = this.find(parent);
    const totals = this.#totalsOf(parent);
    const isChanged = row && Object.keys(changesOf(row.values, { ...row.values, ...totals })).length > 0;
    return this.#stale.delete(parent) && isChanged ? this.#save(row, totals, 'update', new Token('time')) : undefined;
  }

  #note(operation: string, row: Row, changes: Event['changes']): void {
    const { of, id, version } = row;
    this.#events = [...this.#events, { of, record: id, operation, version, changes, row, request: this.#request }];
  }
}

/** Whether an event has taken back what a transition does. */
function isTakenBack({ from, set }: (typeof moves)[keyof typeof moves], { changes }: Event): boolean {
  const [state, former] = changes['status'] ?? [];
  return 'status' in set && state === set.status && from.some((one) => one === former);
}

const isSame = (a: Value, b: Value): boolean => (a instanceof Raw && b instanceof Raw ? a.text === b.text : a === b);

function changesOf(before: Body, after: Body): Event['changes'] {
  const names = Object.keys({ ...before, ...after });
  const pairs = names.map((name) => [name, [before[name] ?? null, after[name] ?? null]] as const);
  return Object.fromEntries(pairs.filter(([, [a, b]]) => !isSame(a, b)));
}
