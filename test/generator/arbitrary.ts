import * as fc from 'fast-check';
import { fieldTypeRow } from '../../generator/model/field-types.ts';
import { listKeys, listParameters, reservedFieldNames, whyReserved } from '../../generator/model/language.ts';
import { itemsKey, segmentOf } from '../../generator/model/model.ts';
import { type Format, formats } from '../../runtime/kernel/model/formats.ts';
import { keywords } from './keywords.ts';
import { yamlOf } from '../support/yaml.ts';

/** A resource as it is written, and where. */
export interface Written {
  readonly path: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** A name in snake case; also such that databases, JavaScript, YAML or OpenAPI have a meaning for. */
const name = fc.oneof(fc.stringMatching(/^[a-z][a-z0-9]{0,8}(_[a-z0-9]{1,8}){0,2}$/), fc.constantFrom(...keywords));

const given = new Set(
  'id idx created_at updated_at status parent_ref first_ref first_ref_id peer peer_record'.split(' '),
);

/** Text of one line, with what quoting and comments trip over. */
const text = fc
  .array(fc.constantFrom('a', 'B', ' ', "'", '"', '\\', '`', '*/', '${x}', 'é', '🙂', '-', '#', ':', '{', ',', '\t'), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

const doc = text.map((value) => `About ${value.trim()}.`);

const integer = fc.integer({ min: -1000, max: 1000 });

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

const withoutUndefined = (data: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));

/** How a field is entered: required, nullable or not, or optional with a default or without, or read-only, or never null, or never changed. */
const entered = (value: fc.Arbitrary<unknown>) =>
  fc.oneof(
    fc.constant({ required: true }),
    fc.constant({ required: true, nullable: true }),
    fc.record({ read_only: optional(fc.constant(true)), default: optional(value) }),
    fc.record({ nullable: fc.constant(false), default: value, backfill: optional(value) }),
    fc.constantFrom({ immutable: 'once_set' }, { immutable: true }, { immutable: true, required: true }),
  );

const enums = { shade: ['light', "it's dark", ''], size: ['S', 'M', 'L'] };

/** Defaults that each create computes. */
const moments = fc.oneof(
  fc.constantFrom({ format: 'date-time', default: 'now' }, { format: 'date', default: 'today' }),
  fc.constant({ format: 'date-time', default: 'now', nullable: false, backfill: '2000-01-01T00:00:00+01:00' }),
  fc.constant({ format: 'date', default: 'today', nullable: false, backfill: '2000-01-01' }),
);

const typed = fc.oneof(
  fc
    .record({ least: fc.nat(5), extra: fc.nat(30), isMin: fc.boolean(), isMax: fc.boolean() })
    .chain(({ least, extra, isMin, isMax }) =>
      entered(fc.string({ unit: fc.constantFrom(...letters), minLength: least, maxLength: least + extra })).map(
        (rest) => ({
          min_length: isMin ? least : undefined,
          max_length: isMax ? least + extra : undefined,
          ...rest,
        }),
      ),
    ),
  fc.constantFrom(...(Object.keys(formats) as Format[])).chain((format) =>
    entered(fc.constant(fieldTypeRow({ type: format }).example({ type: format }))).map((rest) => ({
      format,
      ...rest,
    })),
  ),
  fc
    .uniqueArray(text, { minLength: 1, maxLength: 8 })
    .chain((values) => entered(fc.constantFrom(...values)).map((rest) => ({ enum: values, ...rest }))),
  fc
    .constantFrom(...(Object.keys(enums) as (keyof typeof enums)[]))
    .chain((list) => entered(fc.constantFrom(...enums[list])).map((rest) => ({ enum: list, ...rest }))),
  moments,
  fc
    .tuple(integer, fc.nat(1000))
    .chain(([min, more]) =>
      entered(fc.integer({ min, max: min + more })).map((rest) => ({ type: 'integer', min, max: min + more, ...rest })),
    ),
  entered(fc.double({ noNaN: true, noDefaultInfinity: true })).map((rest) => ({ type: 'number', ...rest })),
  fc.tuple(fc.integer({ min: 1, max: 18 }), fc.nat(18)).chain(([digits, most]) =>
    entered(fc.constantFrom('0', ...(most < digits ? ['-1'] : []))).map((rest) => ({
      type: 'decimal',
      digits,
      scale: Math.min(digits, most),
      ...rest,
    })),
  ),
  entered(fc.boolean()).map((rest) => ({ type: 'boolean', ...rest })),
  fc
    .constantFrom<readonly [of: unknown, values: readonly (string | number)[]]>(
      ['string', ['', "o'clock", '"\\`\u{1f642}']],
      [{ max_length: 3, pattern: '^[a-c]+$' }, ['a', 'b', 'abc']],
      [{ format: 'date' }, ['2026-01-31', '2024-02-29']],
      [{ enum: ['a', '*/', "'"] }, ["'", '*/']],
      ['integer', [0, -7, 2 ** 53 - 1]],
      [{ type: 'integer', min: 1, max: 3 }, [1, 3]],
    )
    .chain(([of, values]) =>
      fc
        .tuple(
          entered(fc.subarray([...values])),
          optional(fc.integer({ min: 3, max: 1000 })),
          optional(fc.constant(true)),
        )
        .map(([rest, most, unique]) => ({ type: 'list', of, max_items: most, unique_items: unique, ...rest })),
    ),
);

const field = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(null, 'integer', 'number', 'boolean') },
  {
    weight: 3,
    arbitrary: fc.tuple(typed, optional(doc)).map(([rest, words]) => withoutUndefined({ ...rest, doc: words })),
  },
);

const fields = fc
  .uniqueArray(fc.tuple(name, field), { minLength: 1, maxLength: 10, selector: ([key]) => key })
  .map((entries) => entries.filter(([key]) => !given.has(key) && whyReserved(reservedFieldNames, key) === undefined))
  .filter((entries) => entries.length > 0);

const transitions = fc.constantFrom(
  undefined,
  { submit: { from: 'draft', to: 'submitted' } },
  { submit: { from: 'draft', to: 'submitted' }, 're-open': { from: ['submitted', 'draft'], to: 'open' } },
  { submit: { from: 'draft', to: 'submitted' }, remind: { from: ['submitted', 'draft'] } },
);

type Entries = readonly (readonly [name: string, field: unknown])[];

const isList = (written: unknown): boolean =>
  typeof written === 'object' && written !== null && 'type' in written && written.type === 'list';

const isString = (written: unknown): boolean =>
  written === null ||
  (typeof written === 'object' &&
    !('type' in written) &&
    !('format' in written && String(written.format).startsWith('date')));

/** Filters, sort orders, searched fields and columns for a list of these fields; undefined if there are none. */
const listOf = (entries: Entries) => {
  const names = entries.map(([key]) => key);
  const allowed = {
    filter: names.filter((key) => !listParameters.includes(key)),
    sort: entries.filter(([, written]) => !isList(written)).map(([key]) => key),
    search: entries.filter(([, written]) => isString(written)).map(([key]) => key),
    columns: names,
  };
  const keys = [...listKeys, 'columns'] as const;
  return fc.tuple(...keys.map((key) => fc.shuffledSubarray(allowed[key]))).map((chosen) => {
    const list = keys.flatMap((key, index) => (chosen[index]?.length ? [[key, chosen[index]] as const] : []));
    return list.length === 0 ? undefined : Object.fromEntries(list);
  });
};

/** Whether a field can be unique alone. A required one cannot here: each line item makes a parent with the same values. */
const canBeUnique = (written: unknown): boolean =>
  typeof written === 'object' &&
  written !== null &&
  !('default' in written || 'required' in written) &&
  ('max_length' in written ||
    'enum' in written ||
    ('type' in written && written.type !== 'boolean' && !isList(written)));

/** Some fields that are unique, each alone; undefined if there are none. */
const uniqueOf = (entries: Entries) =>
  fc
    .subarray(entries.filter(([, written]) => canBeUnique(written)).map(([key]) => [key]))
    .map((unique) => (unique.length === 0 ? undefined : unique));

/** Fields without those of some names, and a list of them. */
const listedFields = (taken: readonly string[] = []) =>
  fields
    .map((entries) => entries.filter(([key]) => !taken.includes(key)))
    .filter((entries) => entries.length > 0)
    .chain((entries) => fc.record({ entries: fc.constant(entries), list: listOf(entries), unique: uniqueOf(entries) }));

const record = (taken?: readonly string[]) =>
  fc
    .record({ listedFields: listedFields(taken), transitions, doc })
    .map(({ listedFields: { entries, list, unique }, transitions: moves, doc: words }) =>
      withoutUndefined({
        kind: 'record',
        doc: words,
        unique,
        list,
        fields: { ...Object.fromEntries(entries), ...(moves && { status: { default: 'draft' } }) },
        transitions: moves,
      }),
    );

/** No client creates a singleton, to set what is immutable. */
const isChangeable = (written: unknown): boolean =>
  !(typeof written === 'object' && written !== null && 'immutable' in written && written.immutable === true);

const singleton = fc.record({ fields, doc }).map(({ fields: entries, doc: words }) => ({
  kind: 'singleton',
  doc: words,
  fields: { ...Object.fromEntries(entries.filter(([, written]) => isChangeable(written))), note: null },
}));

const lineItem = (parents: readonly string[]) =>
  fc.record({ listedFields: listedFields(), doc, parent: fc.constantFrom(undefined, ...parents) }).map((parts) =>
    withoutUndefined({
      kind: 'line-item',
      doc: parts.doc,
      parent: withoutUndefined({ field: 'parent_ref', resource: parts.parent }),
      list: parts.listedFields.list,
      fields: { parent_ref: { required: true }, ...Object.fromEntries(parts.listedFields.entries) },
    }),
  );

/** The keys that references are written with. */
const references: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { required: true },
  { immutable: true },
  { immutable: 'once_set', on_delete: 'restrict' },
  { on_delete: 'cascade' },
  { on_delete: 'cascade', required: true, immutable: true },
  { on_delete: 'set_null' },
];

/** A resource with references to a record, which may be the resource itself. */
const withReferences = (data: Readonly<Record<string, unknown>>, to: string, isSelf: boolean) => {
  const allowed = references
    .filter(({ required }) => !(isSelf && required))
    .filter((rest) => data['kind'] !== 'singleton' || (rest['on_delete'] !== 'cascade' && isChangeable(rest)));
  const one = optional(fc.constantFrom(...allowed).map((rest) => ({ references: to, ...rest })));
  return fc
    .record({ first_ref_id: one, peer: one })
    .map((named) => ({ ...data, fields: { ...(data['fields'] as object), ...withoutUndefined(named) } }));
};

const segment = fc.stringMatching(/^[a-z]{2,8}(-[a-z]{1,8}){0,3}$/);

/** Names that make types of other resources, or that databases keep for themselves. */
const taken =
  /(^(sqlite|pg|pragma)-|(create|update|list|pkey|by-parent|by-creation)$|^(diagnostic|deleted|reorder|field-error|service)$)/;

/** Resources `<area>/<resource>`, the first of which is a record and may be the parent of others. */
export const resourcesNamed = ([first = '', ...rest]: readonly string[]): fc.Arbitrary<Written[]> =>
  fc
    .tuple(
      // The keys of line items in their parent are none of its fields.
      record(rest.map((key) => itemsKey(segmentOf({ key })))).map((data) => ({ key: first, data })),
      ...rest.map((key) => fc.oneof(record(), singleton, lineItem([first])).map((data) => ({ key, data }))),
    )
    .chain((all) =>
      fc.tuple(
        ...all.map(({ key, data }) =>
          withReferences(data, first, key === first).map((linked) => ({ path: `spec/${key}.yaml`, data: linked })),
        ),
      ),
    );

/** The resources of a valid spec. */
export const resources: fc.Arbitrary<Written[]> = fc
  .uniqueArray(fc.tuple(fc.constantFrom('sales', 'back-office'), segment), {
    minLength: 2,
    maxLength: 5,
    selector: ([, last]) => last.replaceAll('-', ''),
  })
  .map((keys) => keys.filter(([, last]) => !taken.test(last)).map((parts) => parts.join('/')))
  .filter((keys) => keys.length > 0)
  .chain(resourcesNamed);

export const service = {
  name: 'things',
  title: 'Things',
  doc: 'Keeps things.',
  version: '1.0.0',
  license: 'MIT',
  enums,
};

/** The texts of a spec. */
export const textsOf = (written: readonly Written[]): Map<string, string> =>
  new Map([['spec/service.yaml', yamlOf(service)], ...written.map(({ path, data }) => [path, yamlOf(data)] as const)]);
