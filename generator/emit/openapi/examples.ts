import { inventValue } from '../../../runtime/data/demo/body.ts';
import { inventCustomers, inventScene, Random, type Scene } from '../../../runtime/data/demo/values.ts';
import { numberWith, surroundingsAt } from '../../../runtime/features/sequences/pattern.ts';
import type { FieldValue } from '../../../runtime/kernel/model/fields.ts';
import { fieldTypeRow, idExample, isValueOf, schemaOf, zodTypeOf } from '../../model/field-types.ts';
import type { Json } from '../json.ts';
import { basePath } from '../../../runtime/kernel/model/operations.ts';
import { type Field, type FieldType, itemField, type Resource } from '../../model/model.ts';
import { capitalize } from '../../model/names.ts';

/** A time as the service writes it. */
export const timestampExample = '2026-01-31T11:30:00.000Z';

/** The version of a record as headers have it. */
export const etagExample = '"3"';

/** The subject of all examples; demo records have others. */
const scene: Scene = {
  ...inventScene(new Random(1), inventCustomers(new Random(1), 1), { number: 1, turn: 0, isLineItem: false }),
  begin: Date.parse(timestampExample),
};

/** The types whose values fit the name of a field, as those of demo records do. */
const namedTypes: ReadonlySet<FieldType['type']> = new Set(['text', 'integer', 'number', 'decimal']);

function byName(field: Field): FieldValue {
  if (field.type === 'list') {
    const first = byName(itemField(field));
    return first === null ? null : [first].flat();
  }
  const { name, type } = field;
  if (!namedTypes.has(type)) return null;
  // With random numbers of its own, a field keeps its example when others are added.
  const invented = inventValue(zodTypeOf(field), { ...scene, random: new Random(1) }, name);
  return (invented as FieldValue | undefined) ?? (type === 'text' ? capitalize(name.replaceAll('_', ' ')) : null);
}

/**
 * A value of a field to show: the one that its spec gives, the first of its sequence, its default, the id of a parent that this service has, one that
 * fits its name, or one of its type. Undefined where none of these is a value of the field, as of one with a pattern.
 */
export function exampleOf(field: Field, { parent }: Pick<Resource, 'parent'>): FieldValue | undefined {
  const ofParent = parent?.table !== undefined && parent.field === field.name ? idExample(parent.table) : null;
  // A default may be in any spelling of the format, which not every tool knows.
  const ofFormat =
    schemaOf(field).format === undefined || field.type === 'decimal' ? null : fieldTypeRow(field).example(field);
  const { sequence } = field;
  const ofSequence =
    sequence && numberWith(sequence.pattern, surroundingsAt(sequence.pattern, 'UTC', timestampExample), 1);
  const candidates = [
    field.example,
    ofSequence ?? null,
    ofParent,
    ofFormat,
    field.default,
    byName(field),
    fieldTypeRow(field).example(field),
  ];
  return candidates.find((value) => value !== null && isValueOf(field, value).success) ?? undefined;
}

type Examples = Readonly<Record<string, Json>>;

function examplesOf(fields: readonly Field[], resource: Resource): Examples {
  const entries = fields.map((field) => [
    field.name,
    exampleOf(field, resource) ?? (field.nullable ? null : undefined),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Examples;
}

/** How many fields a body shows where none is required and the spec gives no examples. */
const shownFields = 3;

/** The fields that a body shows: the required ones and those with an example in the spec, else the first ones. */
function exampleFields({ fields }: Resource): Field[] {
  const writable = fields.filter((field) => !field.readOnly);
  const chosen = writable.filter((field) => field.required || field.example !== null);
  return chosen.length > 0 ? chosen : writable.slice(0, shownFields);
}

/** The body of a create. */
export const createExample = (resource: Resource): Examples => examplesOf(exampleFields(resource), resource);

/** The body of an update: one field of those that a create shows, where possible not the parent. */
export function updateExample(resource: Resource): Examples {
  const { parent } = resource;
  const changeable = exampleFields(resource).filter(({ name }) => name !== parent?.field && name !== parent?.typeField);
  return examplesOf(changeable.slice(-1), resource);
}

/** The body of a reorder. */
export const reorderExample = ({ name }: Resource): Json => ({ items: [{ id: idExample(name), idx: 1 }] });

const creates = (resource: Resource): boolean => resource.operations.includes('create');

/** The resource that examples of a whole service create, and a line item of it where there are any. */
function createdResources(resources: readonly Resource[]): readonly (Resource | undefined)[] {
  const parentOf = (item: Resource): Resource | undefined =>
    resources.find((other) => creates(other) && other.key === item.parent?.resource);
  const lengthOf = (item: Resource): number => {
    const parent = parentOf(item);
    return parent ? JSON.stringify(createExample(parent)).length : Infinity;
  };
  // The shortest one is the easiest to read.
  const [item] = resources
    .filter((resource) => creates(resource) && parentOf(resource))
    .toSorted((a, b) => lengthOf(a) - lengthOf(b));
  return item ? [parentOf(item), item] : [resources.find((resource) => creates(resource) && !resource.parent)];
}

/** The resource of examples that belong to none: the one that a batch creates, else the first that is created, else the first. */
export const shownResource = (resources: readonly Resource[]): Resource | undefined =>
  createdResources(resources)[0] ?? resources.find(creates) ?? resources[0];

/** The operations of a batch: a create, and one more of a line item of the new record where there are any. */
export function batchExample(resources: readonly Resource[]): Json {
  const [first, item] = createdResources(resources);
  if (!first) return { operations: [{ method: 'DELETE', path: `${basePath}/<area>/<resource>/<id>` }] };
  const create = (resource: Resource): Json => ({
    method: 'POST',
    path: resource.path,
    body: { ...createExample(resource), ...(resource === item && { [item.parent?.field ?? '']: { result: 0 } }) },
  });
  return { operations: [create(first), ...(item ? [create(item)] : [])] };
}
