import * as fc from 'fast-check';
import { stringify } from 'yaml';
import { rowOf } from '../../generator/model/field-types.ts';
import { listKeys, listParameters, reservedFieldNames, whyReserved } from '../../generator/model/language.ts';
import { itemsKey, segmentOf } from '../../generator/model/model.ts';
import { type Format, formats } from '../../runtime/model/formats.ts';
import { keywords } from './keywords.ts';

/** A resource as it is written, and where. */
export interface Written {
  readonly path: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** A name in snake case; also such that databases, JavaScript, YAML or OpenAPI have a meaning for. */
const name = fc.oneof(fc.stringMatching(/^[a-z][a-z0-9]{0,8}(_[a-z0-9]{1,8}){0,2}$/), fc.constantFrom(...keywords));

const given = new Set(['id', 'idx', 'created_at', 'updated_at', 'status', 'parent_ref']);

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

/** How a field is entered: required, nullable or not, or optional with a default or without, or read-only. */
const entered = (value: fc.Arbitrary<unknown>) =>
  fc.oneof(
    fc.constant({ required: true }),
    fc.constant({ required: true, nullable: true }),
    fc.record({ read_only: optional(fc.constant(true)), default: optional(value) }),
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
  fc
    .constantFrom(...(Object.keys(formats) as Format[]))
    .chain((format) =>
      entered(fc.constant(rowOf({ type: format }).example({ type: format }))).map((rest) => ({ format, ...rest })),
    ),
  fc
    .uniqueArray(text, { minLength: 1, maxLength: 8 })
    .chain((values) => entered(fc.constantFrom(...values)).map((rest) => ({ enum: values, ...rest }))),
  fc
    .tuple(integer, fc.nat(1000))
    .chain(([min, more]) =>
      entered(fc.integer({ min, max: min + more })).map((rest) => ({ type: 'integer', min, max: min + more, ...rest })),
    ),
  entered(fc.double({ noNaN: true, noDefaultInfinity: true })).map((rest) => ({ type: 'number', ...rest })),
  entered(fc.boolean()).map((rest) => ({ type: 'boolean', ...rest })),
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
);

type Entries = readonly (readonly [name: string, field: unknown])[];

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
    sort: names,
    search: entries.filter(([, written]) => isString(written)).map(([key]) => key),
    columns: names,
  };
  const keys = [...listKeys, 'columns'] as const;
  return fc.tuple(...keys.map((key) => fc.shuffledSubarray(allowed[key]))).map((chosen) => {
    const list = keys.flatMap((key, index) => (chosen[index]?.length ? [[key, chosen[index]] as const] : []));
    return list.length === 0 ? undefined : Object.fromEntries(list);
  });
};

/** Fields without those of some names, and a list of them. */
const listedFields = (taken: readonly string[] = []) =>
  fields
    .map((entries) => entries.filter(([key]) => !taken.includes(key)))
    .filter((entries) => entries.length > 0)
    .chain((entries) => fc.record({ entries: fc.constant(entries), list: listOf(entries) }));

const record = (taken?: readonly string[]) =>
  fc
    .record({ listedFields: listedFields(taken), transitions, doc })
    .map(({ listedFields: { entries, list }, transitions: moves, doc: words }) =>
      withoutUndefined({
        kind: 'record',
        doc: words,
        list,
        fields: { ...Object.fromEntries(entries), ...(moves && { status: { default: 'draft' } }) },
        transitions: moves,
      }),
    );

const singleton = fc
  .record({ fields, doc })
  .map(({ fields: entries, doc: words }) => ({ kind: 'singleton', doc: words, fields: Object.fromEntries(entries) }));

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
    .map((all) => all.map(({ key, data }) => ({ path: `spec/${key}.yaml`, data })));

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
};

/** The texts of a spec. */
export const textsOf = (written: readonly Written[]): Map<string, string> =>
  new Map([
    ['spec/service.yaml', stringify(service)],
    ...written.map(({ path, data }) => [path, stringify(data)] as const),
  ]);
