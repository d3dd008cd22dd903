import type { Random } from '../support/random.ts';
import type { Model, Query, Row, Write } from './model.ts';
import type { Field, FieldValue, Resource } from './spec.ts';

/** A request: writes, of which several are a batch, or the query of a list. */
export type Request = { readonly writes: readonly Write[] } | { readonly query: Query };

/** No record has this key. */
export const unknownKey = 0;

/** An `If-Match` for a record with this version, or nearly: in a batch, it may have been changed before. */
export const ifMatchOf = (random: Random, version: number): string =>
  random.of(['*', `"${version}"`, `"${version + 1}", "${version}"`, `"${version + 1}"`, `"0", W/"${version}"`]);

/** Chooses the requests to one resource. */
export class Choices {
  readonly #random: Random;
  readonly #resource: Resource;
  readonly #model: Model;

  constructor(random: Random, resource: Resource, model: Model) {
    this.#random = random;
    this.#resource = resource;
    this.#model = model;
  }

  next(): Request {
    const kind = this.#random.weighted({ write: 60, batch: 8, list: 40 });
    if (kind === 'list') return { query: this.#query() };
    if (kind === 'write') return { writes: [this.#write(this.#model.rows.map(({ key }) => key))] };
    return { writes: this.#batch() };
  }

  /** Creates, updates and deletes, also of records that it creates itself. */
  #batch(): Write[] {
    const keys = this.#model.rows.map(({ key }) => key);
    const writes: Write[] = [];
    let created = this.#model.nextKey;
    for (let n = 1 + this.#random.below(4); n >= 0; n--) {
      const write = this.#write(keys);
      writes.push(write);
      if (write.do === 'create') keys.push(created++);
    }
    return writes;
  }

  #write(keys: readonly number[]): Write {
    const wanted = keys.length < 6 ? 60 : keys.length < 25 ? 40 : 15;
    const archive = this.#resource.archive ? 12 : 0;
    const kind = this.#random.weighted({ create: wanted, update: 40, delete: 15, archive, unarchive: archive });
    if (kind === 'create') return { do: kind, body: this.#body(true) };
    const key = keys.length === 0 || this.#random.chance(0.03) ? unknownKey : this.#random.of(keys);
    const row = this.#model.rows.find((one) => one.key === key);
    const guard = this.#random.chance(0.3) && { ifMatch: ifMatchOf(this.#random, row?.version ?? 1) };
    if (kind !== 'update') return { do: kind, key, ...guard };
    return { do: kind, key, body: this.#body(false, key), ...guard };
  }

  #body(isCreate: boolean, key?: number): Record<string, unknown> {
    const { fields } = this.#resource;
    const spoilt = this.#random.chance(0.12) ? this.#random.of(fields) : undefined;
    const share = isCreate ? 0.85 : this.#random.of([0.2, 0.5]);
    const row = this.#model.rows.find((one) => one.key === key);
    const isLeftOut = (field: Field): boolean =>
      isCreate && field.required ? field === spoilt && this.#random.chance(0.3) : !this.#random.chance(share);
    const sent = fields
      .filter((field) => field === spoilt || !this.#isAvoided(field, row))
      .filter((field) => !isLeftOut(field));
    const body = Object.fromEntries(
      sent.map((field) => [field.name, field === spoilt ? this.#wrong(field) : this.#value(field, row)]),
    );
    return this.#random.chance(0.02) ? { ...body, nothing: 1 } : body;
  }

  /** Most updates leave alone what they cannot change. */
  #isAvoided({ name, immutable, isNumber }: Field, row: Row | undefined): boolean {
    if (isNumber && !row) return true;
    const isFixed = row && (isNumber || immutable === true || (immutable === 'once_set' && row.values[name] !== null));
    return isFixed === true && this.#random.chance(0.85);
  }

  #wrong({ kind }: Field): unknown {
    return this.#random.chance(0.3) ? null : this.#random.of(kind.wrong)[0];
  }

  #value(field: Field, row: Row | undefined): unknown {
    const { name, kind, nullable } = field;
    const stored = row?.values[name];
    if (stored !== undefined && this.#random.chance(0.2)) return stored;
    if (nullable && this.#random.chance(0.12)) return null;
    return this.#someValue(field, this.#isUnique(name) ? 0.08 : 0.3, kind.common);
  }

  #isUnique(name: string): boolean {
    return this.#resource.unique.some(({ fields }) => fields[0] === name);
  }

  #someValue({ kind }: Pick<Field, 'kind'>, chanceOfCommon: number, common: readonly FieldValue[]): FieldValue {
    return common.length > 0 && this.#random.chance(chanceOfCommon)
      ? this.#random.of(common)
      : kind.fresh(this.#random);
  }

  #query(): Query {
    const { rows } = this.#model;
    const hasUndeclared = this.#random.chance(0.04);
    const declared = (list: 'filter' | 'sort'): string[] =>
      this.#resource.fields.filter((field) => hasUndeclared || field[list]).map(({ name }) => name);
    const filters = this.#some(declared('filter'), [0, 1, 1, 1, 2]).map((name) => this.#filter(name));
    const sort = this.#some(declared('sort'), [0, 1, 1, 2, 3]).map((field) => ({
      field,
      isDescending: this.#random.chance(0.5),
    }));
    const archived = this.#random.of(['true', 'false', 'any', 'any', undefined] as const);
    const page = {
      filters,
      sort,
      limit: this.#random.of([1, 2, 3, 5, 20]),
      ...(this.#resource.archive && archived && { archived }),
    };
    if (rows.length > 0 && this.#random.chance(0.3)) return { ...page, offset: 0, after: this.#random.of(rows) };
    return { ...page, offset: this.#random.of([0, 0, 0, 1, 2, 7]) };
  }

  #some(names: readonly string[], counts: readonly number[]): string[] {
    return this.#random.shuffled(names).slice(0, this.#random.of(counts));
  }

  #filter(name: string): Query['filters'][number] {
    const field = this.#resource.fields.find((one) => one.name === name)!;
    const { of, hasNoPrefix, hasNoRanges, isFree } = field.kind;
    const isOdd = this.#random.chance(0.03);
    const operator = this.#random.of([
      'null',
      ...(of || isOdd ? ['has', 'has', 'has'] : []),
      ...(of && !isOdd ? [] : ['', '', 'ne', 'in']),
      ...(hasNoRanges && !isOdd ? [] : ['gt', 'gte', 'lt', 'lte']),
      ...(hasNoPrefix && !isOdd ? [] : ['prefix']),
    ]);
    if (operator === 'null' || (isFree && !isOdd))
      return { field: name, operator: 'null', texts: [this.#random.of(['true', 'false'])] };
    const texts = Array.from({ length: operator === 'in' ? 1 + this.#random.below(3) : 1 }, () => this.#text(field));
    const cut = (text: string): string => [...text].slice(0, this.#random.below(4)).join('');
    return { field: name, operator, texts: operator === 'prefix' ? texts.map(cut) : texts };
  }

  /** Most often the value of some record. */
  #text(field: Field): string {
    const kind = field.kind.of ?? field.kind;
    if (this.#random.chance(0.03) && kind.read) return 'none';
    const stored = this.#model.rows.flatMap(({ values }) => values[field.name] ?? []);
    return String(this.#someValue({ kind }, 0.7, stored.length > 0 ? stored : kind.common));
  }
}
