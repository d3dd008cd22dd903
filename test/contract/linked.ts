import { isDeepStrictEqual } from 'node:util';

import { yamlOf } from '../support/yaml.ts';
import { etagOf, staleness } from './model.ts';

/** The effect on a record of a delete of the one that it references. */
type Rule = 'restrict' | 'set_null' | 'cascade';
export type Kind = 'node' | 'pair' | 'item' | 'settings';
export type Value = string | number | null;
export type Body = Readonly<Record<string, Value>>;

interface Resource {
  readonly name: string;
  readonly path: string;
  readonly references: Readonly<Record<string, { readonly to: readonly Kind[]; readonly rule: Rule }>>;
  readonly written: object;
}

/** Records that reference each other, themselves and in circles, their line items and a singleton. */
export type World = Readonly<Record<Kind, Resource>>;

const rules: readonly Rule[] = ['restrict', 'set_null', 'cascade'];

/** The transitions of nodes. One keeps the state. */
const moves = {
  submit: { from: 'draft', to: 'sent' },
  cancel: { from: 'sent', to: 'off', set: { label: null } },
  mark: { from: ['draft', 'sent'], set: { label: 'marked' } },
} as const;

/** The reference whose record a rule reads: one with the label `b` is only named by records with the label `a`. */
const readBy: { readonly [kind in Kind]?: string } = { pair: 'node_id', item: 'pair_id' };

const rulesOf = (kind: Kind): object => {
  const key = readBy[kind]?.replace(/_id$/, '');
  if (key === undefined) return {};
  return {
    rules: [{ that: `${key} == null || ${key}.label != "b" || label == "a"`, message: 'It is read.', field: 'label' }],
  };
};

/** The nine worlds have each pair of rules of any two references but the singleton's, and those to records of two resources. */
export function worldOf(n: number): World {
  const ruleOf = (place: number): Rule => rules[place % 3]!;
  const [first, second] = [n % 3, Math.floor(n / 3)];
  const resource = (kind: Kind, references: Resource['references'], written: object): Resource => ({
    name: `${kind}${n}`,
    path: `/api/all/${kind}${n}`,
    references,
    written,
  });
  const node = { to: ['node'] as const };
  const pair = { to: ['pair'] as const };
  const states = { status: { default: 'draft' } };
  return {
    node: resource(
      'node',
      { same_id: { ...node, rule: ruleOf(first) }, pair_id: { ...pair, rule: ruleOf(second) } },
      {
        kind: 'record',
        fields: states,
        transitions: moves,
      },
    ),
    pair: resource(
      'pair',
      { node_id: { ...node, rule: ruleOf(first + second) }, any_id: { to: ['pair', 'node'], rule: ruleOf(second) } },
      {
        kind: 'record',
        unique: [['node_id', 'label']],
        fields: {
          node_label: { max_length: 20, default_from: 'node.label' },
          settings_label: { max_length: 20, default_from: `all/settings${n}.label` },
        },
      },
    ),
    item: resource(
      'item',
      { pair_id: { ...pair, rule: ruleOf(first + 2 * second) } },
      {
        kind: 'line-item',
        parent: { field: 'node_id', resource: `all/node${n}` },
        fields: { node_id: { required: true } },
      },
    ),
    settings: resource('settings', { node_id: { ...node, rule: rules[n % 2]! } }, { kind: 'singleton' }),
  };
}

/** The inverse of a reference of such records. */
export const inverseOf = (kind: Kind, field: string): string => `${kind}_by_${field}`;

/** The texts of a spec with these worlds. */
export const textsOfWorlds = (worlds: readonly World[]): Map<string, string> =>
  new Map([
    ['spec/service.yaml', yamlOf({ name: 'all', title: 'All', doc: 'All.', version: '1.0.0', license: 'MIT' })],
    ...worlds.flatMap((world) =>
      Object.entries(world).map(([kind, { name, references, written }]) => {
        const keysOf = (kinds: readonly Kind[]): string[] => kinds.map((one) => `all/${world[one].name}`);
        const named = Object.entries(references).map(([field, { to, rule }]) => [
          field,
          {
            references: to.length === 1 ? keysOf(to)[0] : keysOf(to),
            on_delete: rule,
            ...(written !== world.settings.written && { inverse: inverseOf(kind as Kind, field) }),
          },
        ]);
        const { fields, ...rest } = written as { fields?: object };
        const all = { label: { max_length: 20 }, ...fields, ...Object.fromEntries(named) };
        return [
          `spec/all/${name}.yaml`,
          yamlOf({ doc: `A ${name}.`, ...rest, ...rulesOf(kind as Kind), fields: all }),
        ] as const;
      }),
    ),
  ]);

interface Guarded {
  readonly ifMatch?: string;
}

export type Write =
  | { readonly do: 'create'; readonly of: Kind; readonly body: Body }
  | (Guarded & { readonly do: 'update'; readonly of: Kind; readonly id: string; readonly body: Body })
  | (Guarded & { readonly do: 'delete' | keyof typeof moves; readonly of: Kind; readonly id: string })
  | { readonly do: 'reorder'; readonly items: readonly { readonly id: string; readonly idx: number }[] };

export interface Query {
  readonly of: Kind;
  /** Without it, the query is for a list. */
  readonly id?: string;
  readonly parent?: string;
  readonly filter?: { readonly field: string; readonly isNull: boolean; readonly ids: readonly string[] };
  readonly expand: readonly string[];
}

export interface Answer {
  readonly status: number;
  /** Answers with one record have it. */
  readonly etag?: string;
  readonly body: unknown;
}

interface Row {
  readonly of: Kind;
  readonly id: string;
  readonly version: number;
  readonly values: Body;
}

/** A write that is refused. */
class Refusal {
  readonly answer: Answer;

  constructor(status: number, code: string, rest: object = {}, etag?: string) {
    this.answer = { status, ...(etag !== undefined && { etag }), body: { code, ...rest } };
  }
}

const idOf = (key: number): string => `#${key}`;

/** The records of a world, as the contract says that they are. Their ids are numbers behind `#`, until the server has named them. */
export class LinkedModel {
  readonly world: World;
  rows: readonly Row[];
  #lastKey = 1;
  /** The records before the present write. */
  #stored: ReadonlySet<string> = new Set();

  constructor(world: World) {
    this.world = world;
    this.rows = [{ of: 'settings', id: idOf(1), version: 1, values: { label: null, node_id: null } }];
  }

  /** The id of the record that is created after `others`. */
  nextId(others: number): string {
    return idOf(this.#lastKey + 1 + others);
  }

  /** Does all of them, or none. A batch of one is no batch. */
  write(writes: readonly Write[]): readonly Answer[] | Answer {
    const [rows, lastKey] = [this.rows, this.#lastKey];
    this.#stored = new Set(rows.map(({ id }) => id));
    const done: Answer[] = [];
    try {
      for (const write of writes) done.push(this.#write(write));
      return done;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      [this.rows, this.#lastKey] = [rows, lastKey];
      const { body, ...rest } = error.answer;
      return writes.length === 1 ? error.answer : { ...rest, body: { ...(body as object), operation: done.length } };
    }
  }

  #write(write: Write): Answer {
    if (write.do === 'create') return this.#create(write.of, write.body);
    if (write.do === 'reorder') return this.#reorder(write.items);
    const row = this.#find(write.of, write.id);
    const stale = staleness(row, write.ifMatch);
    if (stale) throw new Refusal(stale.status, stale.code, {}, stale.etag);
    if (write.do === 'delete') return this.#delete(row);
    if (write.do === 'update') return this.#put({ ...row, values: { ...row.values, ...write.body } }, write.body);
    const { from, ...effect } = moves[write.do];
    if (![from].flat().some((state) => state === row.values['status'])) throw new Refusal(409, 'wrong_state');
    const { to, set } = effect as { to?: string; set?: Body };
    return this.#put({ ...row, values: { ...row.values, ...set, ...(to !== undefined && { status: to }) } }, {}, true);
  }

  #find(of: Kind, id: string): Row {
    const row = this.rows.find((one) => one.of === of && one.id === id);
    if (!row) throw new Refusal(404, 'not_found');
    return row;
  }

  #has = (of: Kind, id: Value | undefined): boolean => this.rows.some((row) => row.of === of && row.id === id);

  /** A record that does not exist breaks no rule: the reference is refused. */
  #breaksRule({ of, values }: Row): boolean {
    const field = readBy[of] ?? '';
    const named = this.rows.find(
      (row) => this.world[of].references[field]?.to.includes(row.of) && row.id === values[field],
    );
    return named?.values['label'] === 'b' && values['label'] !== 'a';
  }

  #create(of: Kind, body: Body): Answer {
    const last = this.#itemsOf(body['node_id']).at(-1);
    const idx = 1 + ((last?.values['idx'] as number | undefined) ?? 0);
    const places = of === 'item' ? { idx } : {};
    const none = Object.keys(this.world[of].references).map((field) => [field, null] as const);
    const labelOf = (isSource: (row: Row) => boolean): Value => this.rows.find(isSource)?.values['label'] ?? null;
    const copies = {
      node_label: labelOf(({ id }) => id === body['node_id']),
      settings_label: labelOf((row) => row.of === 'settings'),
    };
    const own = { ...(of === 'node' && { status: 'draft' }), ...(of === 'pair' && copies) };
    const given = { ...places, label: null, ...own, ...Object.fromEntries(none) };
    const answer = this.#put({ of, id: this.nextId(0), version: 1, values: { ...given, ...body } }, body);
    this.#lastKey++;
    return { ...answer, status: 201 };
  }

  /**
   * @param set what it must have been checked for
   * @param isMove whether it is a change even if no value is another
   */
  #put(row: Row, set: Body, isMove = false): Answer {
    const { of, id, values } = row;
    const before = this.rows.find((one) => one.id === id);
    const isChanged = before !== undefined && (isMove || !isDeepStrictEqual(before.values, values));
    if (of === 'item' && 'node_id' in set && !this.#has('node', set['node_id']))
      throw new Refusal(409, 'parent_missing');
    const missing = Object.entries(this.world[of].references).filter(
      ([field, { to }]) => (set[field] ?? null) !== null && !to.some((kind) => this.#has(kind, set[field])),
    );
    const errorsOf = (fields: readonly string[], code: string): object => ({
      errors: Object.fromEntries(fields.map((field) => [field, code])),
    });
    if (missing.length > 0)
      throw new Refusal(
        409,
        'reference_missing',
        errorsOf(
          missing.map(([field]) => field),
          'reference_missing',
        ),
      );
    // The rules read other records, which must be there.
    if ((isChanged || !before) && this.#breaksRule(row))
      throw new Refusal(422, 'rule_violated', { errors: { label: 'rule_violated' } });
    const unique = ['node_id', 'label'];
    const key = unique.map((field) => values[field]);
    const isSame = (other: Row): boolean =>
      other.of === 'pair' && unique.every((field, i) => other.values[field] === key[i]);
    const isClash = of === 'pair' && !key.includes(null) && this.rows.some((other) => other.id !== id && isSame(other));
    if (isClash) throw new Refusal(409, 'not_unique', errorsOf(unique, 'not_unique'));
    const after = { ...row, version: row.version + Number(isChanged) };
    this.rows = before ? this.rows.map((one) => (one === before ? after : one)) : [...this.rows, after];
    return { status: 200, etag: etagOf(after), body: this.#shown(after) };
  }

  #delete({ id }: Row): Answer {
    const gone = new Set<Value>([id]);
    const named = (rule: Rule): { row: Row; field: string }[] =>
      this.rows.flatMap((row) =>
        Object.entries(this.world[row.of].references)
          .filter(([field, reference]) => reference.rule === rule && gone.has(row.values[field]!) && !gone.has(row.id))
          .map(([field]) => ({ row, field })),
      );
    // Line items go with their parent.
    const takeItems = (): void =>
      this.#items().forEach((item) => gone.has(item.values['node_id']!) && gone.add(item.id));
    for (let last = 0; last < gone.size;) {
      last = gone.size;
      for (const { row } of named('cascade')) gone.add(row.id);
      takeItems();
    }
    const restricting = Object.values(
      Object.groupBy(named('restrict'), ({ row, field }) => `${this.world[row.of].name} ${field}`),
    ).map((all) => ({
      resource: `all/${this.world[all![0]!.row.of].name}`,
      field: all![0]!.field,
      // Others are undone with the batch that has created them.
      ids: all!.map(({ row }) => row.id).filter((one) => this.#stored.has(one)),
    }));
    if (restricting.length > 0) throw new Refusal(409, 'still_referenced', { referenced_by: restricting });
    const cleared = Map.groupBy(named('set_null'), ({ row }) => row.id);
    this.rows = this.rows
      .filter((row) => !gone.has(row.id))
      .map((row) => {
        const nulls = (cleared.get(row.id) ?? []).map(({ field }) => [field, null] as const);
        return { ...row, version: row.version + nulls.length, values: { ...row.values, ...Object.fromEntries(nulls) } };
      });
    return { status: 200, body: { id, deleted: true } };
  }

  #items = (): Row[] => this.rows.filter(({ of }) => of === 'item');

  /** In the order of a list. */
  #itemsOf = (parent: Value | undefined): Row[] =>
    this.#items()
      .filter(({ values }) => values['node_id'] === parent)
      .toSorted((a, b) => (a.values['idx'] as number) - (b.values['idx'] as number));

  #reorder(places: readonly { id: string; idx: number }[]): Answer {
    const pointed = (isWrong: (id: string, at: number) => boolean, code: string): void => {
      const errors = places.flatMap(({ id }, at) => (isWrong(id, at) ? [[`items/${at}/id`, code]] : []));
      if (errors.length > 0) throw new Refusal(422, 'invalid_body', { errors: Object.fromEntries(errors) });
    };
    pointed((id, at) => places.findIndex((one) => one.id === id) < at, 'duplicate');
    const parents = new Map(places.map(({ id }) => [id, this.#find('item', id).values['node_id']!]));
    const [parent] = parents.values();
    pointed((id) => parents.get(id) !== parent, 'different_parent');
    for (const { id, idx } of places)
      this.rows = this.rows.map((row) => {
        const isMoved = row.id === id && row.values['idx'] !== idx;
        return isMoved ? { ...row, version: row.version + 1, values: { ...row.values, idx } } : row;
      });
    return { status: 200, body: this.#page(this.#itemsOf(parent)) };
  }

  #page(rows: readonly Row[], expand: readonly string[] = []): object {
    return { data: rows.map((row) => this.#shown(row, expand)), has_more: false, total: rows.length };
  }

  #shown({ of, id, values }: Row, expand: readonly string[] = []): object {
    const parts = expand.map((name) => {
      if (name === this.world.item.name) return [name, this.#page(this.#itemsOf(id))];
      const [other, field] = name.split('_by_') as [Kind, string?];
      if (field !== undefined) {
        const naming = this.rows.filter((row) => row.of === other && row.values[field] === id);
        return [name, this.#page(naming.toReversed())];
      }
      const named = this.rows.find(
        (row) => this.world[of].references[name]?.to.includes(row.of) && row.id === values[name],
      );
      return [name.replace(/_id$/, ''), named ? this.#shown(named) : null];
    });
    return { id, ...values, ...Object.fromEntries(parts) };
  }

  read({ of, id, parent, filter, expand }: Query): Answer {
    const one = this.rows.find((row) => row.of === of && row.id === id);
    if (id !== undefined) {
      if (!one) return new Refusal(404, 'not_found').answer;
      return { status: 200, ...(expand.length === 0 && { etag: etagOf(one) }), body: this.#shown(one, expand) };
    }
    const all = parent === undefined ? this.rows.filter((row) => row.of === of).toReversed() : this.#itemsOf(parent);
    const holds = ({ values }: Row): boolean => {
      const value = values[filter?.field ?? ''] ?? null;
      return !filter || (filter.isNull ? value === null : filter.ids.includes(String(value)));
    };
    return { status: 200, body: this.#page(all.filter(holds), expand) };
  }
}
