import { isDeepStrictEqual } from 'node:util';

import { orderOf } from './kinds.ts';
import { type Field, type FieldValue, numberOf, type Resource, type Scalar, type Unique } from './spec.ts';

export type Value = FieldValue | null;
export type Body = Readonly<Record<string, unknown>>;

/** A record, whose id only the server knows. */
export interface Row {
  readonly key: number;
  readonly version: number;
  /** A `moment` is known when the record is: see `settle`. */
  readonly values: Readonly<Record<string, Value>>;
  readonly isArchived: boolean;
}

export type Write =
  | { readonly do: 'create'; readonly body: Body }
  | {
      readonly do: 'update' | 'delete' | 'archive' | 'unarchive';
      readonly key: number;
      readonly body?: Body;
      readonly ifMatch?: string;
    };

export interface Done {
  readonly status: 200 | 201;
  readonly row: Row;
  /** Whether the update has changed anything. */
  readonly isChanged?: boolean;
}

/** The errors of a problem: a code for each field, or for an entry of a list, like `a_list/1`. */
export type Errors = Readonly<Record<string, string>>;

export interface Refused {
  readonly status: 400 | 404 | 409 | 412 | 422;
  readonly code: string;
  readonly etag?: string;
  readonly errors?: Errors;
  /** If several unique fields clash, the contract does not say which of them is named. */
  readonly clashes?: readonly { readonly errors: Errors; readonly key: number | undefined }[];
  /** The place in a batch. */
  readonly operation?: number;
}

export interface Query {
  readonly filters: readonly { readonly field: string; readonly operator: string; readonly texts: readonly string[] }[];
  readonly sort: readonly { readonly field: string; readonly isDescending: boolean }[];
  readonly limit: number;
  readonly offset: number;
  readonly after?: Row;
  readonly archived?: 'true' | 'false' | 'any';
}

export interface Page {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly has_more: boolean;
}

const isRefused = (answer: Done | Refused): answer is Refused => 'code' in answer;

/** The text without case and accents. */
const folded = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');

/** The ETag of a record. */
export const etagOf = ({ version }: Pick<Row, 'version'>): string => `"${version}"`;

/** The refusal of a write that names other versions than the record has: a weak ETag counts as the strong one. */
export function staleness(row: Pick<Row, 'version'>, ifMatch = '*'): (Refused & { etag: string }) | undefined {
  const etag = etagOf(row);
  return [etag, `W/${etag}`, '*'].some((tag) => ifMatch.split(', ').includes(tag))
    ? undefined
    : { status: 412, code: 'stale', etag };
}

/** The value of a time that each create computes, before it is known. */
export const unsettled = (moment: string): string => `the moment ${moment}`;

/** The records of one resource, as the contract says that they are: arrays, and no thought of speed. */
export class Model {
  readonly #resource: Resource;
  /** In the order of creation. */
  #rows: readonly Row[] = [];
  #lastKey = 0;
  /** How many records were created: a refused create takes no number. */
  #created = 0;

  constructor(resource: Resource) {
    this.#resource = resource;
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** The key of the record that is created next. */
  get nextKey(): number {
    return this.#lastKey + 1;
  }

  /** Takes in the times that a create has computed. @returns the values of an answered record, with these times. */
  settle(answered: Row, createdAt: string): Row['values'] {
    const { fields } = this.#resource;
    const of = { now: createdAt, today: createdAt.slice(0, 10) };
    const settledIn = (row: Row): Row['values'] => {
      const times = fields.flatMap(({ name, moment }) =>
        moment && row.values[name] === unsettled(moment) ? [[name, of[moment]] as const] : [],
      );
      return times.length === 0 ? row.values : { ...row.values, ...Object.fromEntries(times) };
    };
    // A later operation of its batch may have changed or deleted it.
    const row = this.#rows.find(({ key }) => key === answered.key);
    if (row) this.#put({ ...row, values: settledIn(row) });
    return settledIn(answered);
  }

  /** Does all of them, or none. */
  batch(writes: readonly Write[]): readonly Done[] | Refused {
    const created = this.#created;
    const [before, stored] = [this.#rows, new Map(this.#rows.map((row) => [row.key, row]))];
    const done: Done[] = [];
    for (const [operation, write] of writes.entries()) {
      const answer = this.write(write, stored);
      if (isRefused(answer)) {
        this.#rows = before;
        this.#created = created;
        return { ...answer, operation };
      }
      done.push(answer);
    }
    return done;
  }

  /** `stored` are the records before a batch: a problem names no other ones. */
  write(write: Write, stored?: ReadonlyMap<number, Row>): Done | Refused {
    if (write.do === 'create') return this.#create(write.body, stored);
    // A body is checked before the record is looked for.
    const wrong = this.#errorsOf(write.body ?? {});
    const row = this.#rows.find(({ key }) => key === write.key);
    if (Object.keys(wrong).length > 0) {
      // It is compared with its record even so, in a batch with the stored one.
      const isWrong = (name: string): boolean => Object.keys(wrong).some((place) => place.split('/')[0] === name);
      const rest = Object.entries(write.body ?? {}).filter(([name]) => !isWrong(name));
      const before = stored ? stored.get(write.key) : row;
      const fixed = before && write.do === 'update' ? this.#fixedIn(before, Object.fromEntries(rest)) : {};
      return { status: 422, code: 'invalid_body', errors: { ...fixed, ...wrong } };
    }
    if (!row) return { status: 404, code: 'not_found' };
    const stale = staleness(row, write.ifMatch);
    if (stale) return stale;
    if (write.do === 'update') return this.#update(row, write.body ?? {}, stored);
    if (write.do !== 'delete') {
      if (row.isArchived === (write.do === 'archive')) return { status: 409, code: 'wrong_state' };
      const after = { ...row, version: row.version + 1, isArchived: !row.isArchived };
      this.#put(after);
      return { status: 200, row: after, isChanged: true };
    }
    if (row.isArchived) return { status: 409, code: 'locked' };
    this.#rows = this.#rows.filter((one) => one !== row);
    return { status: 200, row };
  }

  #create(body: Body, stored?: ReadonlyMap<number, Row>): Done | Refused {
    const { fields } = this.#resource;
    const missing = fields
      .filter(({ name, required }) => required && !(name in body))
      .map(({ name }) => [name, 'missing']);
    const sent = fields.filter(({ name, isNumber }) => isNumber && name in body).map(({ name }) => [name, 'read_only']);
    const wrong = { ...this.#errorsOf(body), ...Object.fromEntries(sent) };
    const errors = { ...Object.fromEntries(missing), ...wrong } as Errors;
    if (Object.keys(errors).length > 0) return { status: 422, code: 'invalid_body', errors };
    const defaults = fields.map(({ name, default: value, moment, isNumber }) => [
      name,
      isNumber ? numberOf(this.#created + 1) : (value ?? (moment ? unsettled(moment) : null)),
    ]);
    const values = this.#stored({ ...Object.fromEntries(defaults), ...body });
    const row = { key: this.#lastKey + 1, version: 1, values, isArchived: false };
    const clash = this.#clashOf(row, stored);
    if (clash) return clash;
    this.#lastKey++;
    this.#created++;
    this.#rows = [...this.#rows, row];
    return { status: 201, row };
  }

  #update(row: Row, body: Body, stored?: ReadonlyMap<number, Row>): Done | Refused {
    const errors = this.#fixedIn(row, body);
    if (Object.keys(errors).length > 0) return { status: 422, code: 'invalid_body', errors };
    const values = { ...row.values, ...this.#stored(body) };
    const changed = this.#resource.fields.filter(({ name }) => !isDeepStrictEqual(values[name], row.values[name]));
    if (row.isArchived && changed.length > 0) return { status: 409, code: 'locked' };
    const after = { ...row, version: row.version + (changed.length > 0 ? 1 : 0), values };
    const clash = this.#clashOf(after, stored);
    if (clash) return clash;
    this.#put(after);
    return { status: 200, row: after, isChanged: changed.length > 0 };
  }

  /** The fields of a body that an update of the record cannot change. */
  #fixedIn(row: Row, body: Body): Errors {
    const values = { ...row.values, ...this.#stored(body) };
    const fixed = this.#resource.fields.filter(
      ({ name, immutable, isNumber }) =>
        !isDeepStrictEqual(values[name], row.values[name]) &&
        (isNumber || immutable === true || (immutable === 'once_set' && row.values[name] !== null)),
    );
    return Object.fromEntries(fixed.map(({ name, isNumber }) => [name, isNumber ? 'read_only' : 'immutable']));
  }

  #put(row: Row): void {
    this.#rows = this.#rows.map((one) => (one.key === row.key ? row : one));
  }

  #stored(body: Body): Record<string, Value> {
    const { fields } = this.#resource;
    const storedOf = (name: string, value: Value): Value => {
      const { kind, moment } = fields.find((field) => field.name === name)!;
      const isPlain = value === null || (moment !== undefined && value === unsettled(moment));
      return isPlain ? value : (kind.stored?.(value as Scalar) ?? value);
    };
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, storedOf(name, value as Value)]));
  }

  #errorsOf(body: Body): Errors {
    const { fields } = this.#resource;
    const errorOf = ([name, value]: [string, unknown]): [place: string, code: string][] => {
      const field = fields.find((one) => one.name === name);
      if (!field) return [[name, 'unknown_field']];
      if (value === null) return field.nullable ? [] : [[name, 'null_not_allowed']];
      const [, code, place] = field.kind.wrong.find(([wrong]) => wrong === value) ?? [];
      return code === undefined ? [] : [[place === undefined ? name : `${name}/${place}`, code]];
    };
    return Object.fromEntries(Object.entries(body).flatMap(errorOf));
  }

  /** The clashes of a record with others, if there are any. */
  #clashOf(row: Row, stored?: ReadonlyMap<number, Row>): Refused | undefined {
    const keyOf = ({ values }: Row, { fields, ignore_case: ignoreCase }: Unique): string | undefined => {
      const key = fields.map((name) => values[name] ?? null);
      if (key.includes(null)) return undefined;
      return JSON.stringify(ignoreCase ? key.map((value) => folded(String(value))) : key);
    };
    const clashes = this.#resource.unique.flatMap((unique) => {
      const key = keyOf(row, unique);
      const other = this.#rows.find((one) => one.key !== row.key && key !== undefined && keyOf(one, unique) === key);
      const errors = Object.fromEntries(unique.fields.map((name) => [name, 'not_unique']));
      return other ? [{ errors, key: !stored || stored.has(other.key) ? other.key : undefined }] : [];
    });
    return clashes.length > 0 ? { status: 409, code: 'not_unique', clashes } : undefined;
  }

  list({ filters, sort, limit, offset, after, archived = 'false' }: Query): Page | Refused {
    const refused: Refused = { status: 400, code: 'invalid_query' };
    const fieldOf = (name: string): Field | undefined => this.#resource.fields.find((field) => field.name === name);
    const tests = filters.map(({ field, operator, texts }) => testOf(fieldOf(field), operator, texts));
    if (tests.includes(undefined) || sort.some(({ field }) => fieldOf(field)?.sort !== true)) return refused;
    const all = this.#rows.toSorted((a, b) => {
      for (const { field: name, isDescending } of sort) {
        const order = inOrder(fieldOf(name)!, a.values[name]!, b.values[name]!, isDescending);
        if (order !== 0) return order;
      }
      return b.key - a.key;
    });
    const isListed = ({ isArchived }: Row): boolean => archived === 'any' || isArchived === (archived === 'true');
    const holds = (row: Row): boolean => isListed(row) && tests.every((test) => test!(row));
    const found = all.filter(holds);
    const start = after ? all.slice(0, all.findIndex(({ key }) => key === after.key) + 1).filter(holds).length : offset;
    return {
      rows: found.slice(start, start + limit),
      total: found.length,
      has_more: start + limit < found.length,
    };
  }
}

/** The order of two values in a sort: null comes last in both directions. */
function inOrder({ kind, ignoresCase }: Field, a: Value, b: Value, isDescending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const [left, right] = ignoresCase ? [folded(String(a)), folded(String(b))] : [a, b];
  const order = orderOf(kind)(left as Scalar, right as Scalar);
  return isDescending ? -order : order;
}

const ranges: Readonly<Record<string, (order: number) => boolean>> = {
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

/** The test of a filter, undefined if the filter is refused. */
function testOf(
  field: Field | undefined,
  operator: string,
  texts: readonly string[],
): ((row: Row) => boolean) | undefined {
  if (!field?.filter) return undefined;
  const { name } = field;
  const kind = field.kind.of ?? field.kind;
  const order = orderOf(kind);
  if (operator === 'null') return ({ values }) => (values[name] === null) === (texts[0] === 'true');
  if (kind.isFree || (operator === 'has') !== (field.kind.of !== undefined)) return undefined;
  if (operator === 'prefix' && kind.hasNoPrefix) return undefined;
  if (operator in ranges && kind.hasNoRanges) return undefined;
  const wanted = texts.map((text) => (kind.read ? kind.read(text) : text));
  if (wanted.includes(undefined)) return undefined;
  const ofValue = (value: Scalar): boolean => {
    const [first = ''] = wanted;
    if (operator === 'prefix') return String(value).startsWith(String(first));
    if (operator === 'ne') return order(value, first) !== 0;
    if (operator in ranges) return ranges[operator]!(order(value, first));
    return wanted.some((one) => order(value, one!) === 0);
  };
  return ({ values }) => [values[name] ?? []].flat().some((value) => ofValue(value as Scalar));
}
