import { type Kind, kinds } from './kinds.ts';
import { yamlOf } from '../support/yaml.ts';

export type Scalar = string | number | boolean;

/** The value of a field that is not null. */
export type FieldValue = Scalar | readonly Scalar[] | Json;

/** A value of any form, which no filter compares. */
export interface Json {
  readonly [key: string]: unknown;
}

export interface Field {
  readonly name: string;
  readonly kind: Kind;
  readonly required?: boolean;
  readonly nullable: boolean;
  readonly default?: FieldValue;
  /** A default that each create computes. */
  readonly moment?: 'now' | 'today';
  readonly immutable?: true | 'once_set';
  /** Each create gets the next number; no client sends it. */
  readonly isNumber?: true;
  readonly filter: boolean;
  readonly sort: boolean;
  /** Lists are sorted by it without regard to case and accents. */
  readonly ignoresCase?: boolean;
}

export interface Unique {
  readonly fields: readonly string[];
  readonly ignore_case?: true;
}

export interface Resource {
  readonly path: string;
  readonly name: string;
  readonly fields: readonly Field[];
  readonly unique: readonly Unique[];
  readonly archive: boolean;
}

type Combination = Omit<Field, 'name'> & { readonly unique: boolean };

type Entry = Pick<Field, 'required' | 'nullable' | 'default' | 'moment'>;

/** All ways to enter a field of the kind. */
function entriesOf(name: string, { common }: Kind): Entry[] {
  const [, value = true] = common;
  const moment = name === 'date' ? 'today' : 'now';
  const moments: Entry[] = [
    { nullable: true, moment },
    { nullable: false, moment },
  ];
  return [
    { required: true, nullable: false },
    { required: true, nullable: true },
    { nullable: true },
    { nullable: true, default: value },
    { nullable: false, default: value },
    ...(name.startsWith('date') ? moments : []),
  ];
}

const both = [false, true];

/** All combinations of a kind that a spec can have. */
function combinationsOf(name: string, kind: Kind): Combination[] {
  const all = entriesOf(name, kind).flatMap((entry) =>
    ([undefined, true, 'once_set'] as const).flatMap((immutable) =>
      both.flatMap((unique) =>
        both.flatMap((filter) =>
          both.map((sort) => ({ kind, ...entry, ...(immutable && { immutable }), unique, filter, sort })),
        ),
      ),
    ),
  );
  return all.filter(
    ({ nullable, immutable, unique, moment, sort, default: value }) =>
      !(kind.isFree && (sort || value !== undefined)) &&
      (immutable !== 'once_set' || nullable) &&
      !(unique && (kind.isLong || moment)) &&
      !(sort && kind.of),
  );
}

/** A number that each resource has, to be unique together with. */
const code: Field = { name: 'code', kind: kinds.integer, nullable: true, filter: true, sort: true };

/** The number of the nth record that was created. */
export const numberOf = (count: number): string => `N-${String(count).padStart(2, '0')}`;

/** A number that every other resource gives its records. */
const number: Field = {
  name: 'number',
  kind: {
    written: { sequence: 'N-{00}' },
    common: [1, 2, 3].map(numberOf),
    fresh: (random) => numberOf(random.below(300)),
    wrong: [[12, 'wrong_type']],
  },
  nullable: false,
  isNumber: true,
  filter: true,
  sort: true,
};

/** Two records cannot differ for long in a boolean, or in a default: such fields are unique together with another. */
const uniqueOf = (name: string, { kind, default: value }: Combination, place: number): Unique =>
  kind === kinds.boolean || value !== undefined
    ? { fields: [name, code.name] }
    : { fields: [name], ...(kind === kinds.string && place % 2 === 0 && { ignore_case: true }) };

/** Coprime to the numbers of combinations: neighbours in a resource differ in all that a field can have. */
const step = 37;

function resourceOf(place: number, all: readonly (readonly [string, readonly Combination[]])[]): Resource {
  const chosen = all.map(([name, combinations], index) => {
    const { unique, ...field } = combinations[(place * step + index * 11) % combinations.length]!;
    return {
      field: { name: `a_${name}`, ...field, ignoresCase: field.sort && field.kind === kinds.string && place % 4 > 1 },
      unique: unique ? [uniqueOf(`a_${name}`, { ...field, unique }, place)] : [],
    };
  });
  return {
    path: `/api/all/thing${place}`,
    name: `thing${place}`,
    fields: [...chosen.map(({ field }) => field), code, ...(place % 2 === 0 ? [number] : [])],
    unique: chosen.flatMap(({ unique }) => unique),
    archive: place % 3 === 0,
  };
}

const combinations = Object.entries<Kind>(kinds).map(([name, kind]) => [name, combinationsOf(name, kind)] as const);

/** Resources that have each combination of each kind at least once. */
export const resources: readonly Resource[] = Array.from(
  { length: Math.max(...combinations.map(([, all]) => all.length)) },
  (_, place) => resourceOf(place, combinations),
);

const namesOf = (fields: readonly Field[], list: 'filter' | 'sort'): string[] =>
  fields.filter((field) => field[list]).map(({ name }) => name);

function writtenField({ kind, required, nullable, default: value, moment, immutable, isNumber }: Field): object {
  if (isNumber) return kind.written;
  const given = value ?? moment;
  return {
    ...kind.written,
    ...(required && { required }),
    ...(nullable === (required ?? false) && { nullable }),
    ...(given !== undefined && { default: given }),
    ...(moment && !nullable && { backfill: moment === 'today' ? '2000-01-01' : '2000-01-01T00:00:00Z' }),
    ...(immutable && { immutable }),
  };
}

const sortOf = ({ name, ignoresCase }: Field): unknown => (ignoresCase ? { field: name, ignore_case: true } : name);

const written = ({ name, fields, unique, archive }: Resource): string =>
  yamlOf({
    kind: 'record',
    doc: `A ${name} of the contract.`,
    ...(unique.length > 0 && { unique: unique.map((one) => (one.ignore_case ? one : one.fields)) }),
    ...(archive && { archive }),
    list: { filter: namesOf(fields, 'filter'), sort: fields.filter(({ sort }) => sort).map(sortOf) },
    fields: Object.fromEntries(fields.map((field) => [field.name, writtenField(field)])),
  });

/** The texts of a spec with these resources. */
export const textsOf = (all: readonly Resource[]): Map<string, string> =>
  new Map([
    ['spec/service.yaml', yamlOf({ name: 'all', title: 'All', doc: 'All.', version: '1.0.0', license: 'MIT' })],
    ...all.map((resource) => [`spec/all/${resource.name}.yaml`, written(resource)] as const),
  ]);
