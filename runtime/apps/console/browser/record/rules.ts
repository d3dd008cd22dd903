import type { JsonRecord, Logic, Rule } from '../../../../features/rules/expressions/logic.ts';
import type { Value } from '../api.ts';
import type { Field, Resource } from '../model.ts';
import { areItemsChanged, type Draft, editableFields, type Errors, recordKey, type Row } from './draft.ts';
import { changedFields, isSame, read } from './values.ts';

async function load(resource: Resource): Promise<Resource> {
  if (resource.rulesUrl === undefined) return resource;
  try {
    const { default: exported } = (await import(`./${resource.rulesUrl}`)) as Readonly<
      Record<'default', Record<string, Logic>>
    >;
    return { ...resource, logic: Object.values(exported)[0] };
  } catch {
    // The server checks them, too.
    return resource;
  }
}

/** Loads the rules of a resource and of its line items. */
export const withRules = async (resource: Resource): Promise<Resource> => ({
  ...(await load(resource)),
  items: await Promise.all(resource.items.map(load)),
});

/** The value that a field would have, as records show it; undefined if only the server knows. */
function valueOf(field: Field, { base, edits }: Pick<Row, 'base' | 'edits'>): Value | undefined {
  const { name, format, isFilled } = field;
  if (!Object.hasOwn(edits, name)) return isFilled && base['id'] === undefined ? undefined : base[name];
  const reading = read(field, edits[name]);
  if ('problem' in reading) return undefined;
  const { value } = reading;
  if (format !== 'date-time' || typeof value !== 'string') return value;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** Values by their names; to read one that only the server knows throws. */
const strict = <T>(values: Readonly<Record<string, T | undefined>>): Readonly<Record<string, T>> =>
  new Proxy(values as Record<string, T>, {
    get(_, name) {
      const value = values[String(name)];
      if (value === undefined) throw new Error(`Only the server knows ${String(name)}.`);
      return value;
    },
  });

/** The result of a function of a record; undefined if it needs a value that only the server knows. */
function attempt<T>(result: () => T): T | undefined {
  try {
    return result();
  } catch {
    return undefined;
  }
}

/** The values that a record would have as it is edited; undefined if only the server knows. @param keepsItems whether its totals stay as they are stored */
function valuesOf(
  { fields, logic }: Resource,
  row: Pick<Row, 'base' | 'edits'>,
  keepsItems: boolean,
): Readonly<Record<string, JsonRecord[string] | undefined>> {
  const values: Record<string, Value | undefined> = {};
  // Expressions only compare objects of any form with null.
  const known = values as Record<string, JsonRecord[string] | undefined>;
  const record = strict(known);
  for (const field of fields) if (!field.isComputed) values[field.name] = valueOf(field, row);
  for (const [name, { expression, compute }] of Object.entries(logic?.computed ?? {})) {
    const isAsStored = (other: string): boolean => isSame(values[other], row.base[other]);
    const keepsValue =
      keepsItems && Object.keys(values).every((other) => !expression.includes(other) || isAsStored(other));
    values[name] = keepsValue ? row.base[name] : attempt(() => compute(record, strict<never>({})) as Value);
  }
  return known;
}

/** The rules that a record or a row would break as it is edited. @param keepsItems whether its totals stay as they are stored */
export function brokenRules(resource: Resource, row: Pick<Row, 'base' | 'edits'>, keepsItems = false): readonly Rule[] {
  const { logic } = resource;
  if (!logic || changedFields(editableFields(resource), row.base, row.edits).length === 0) return [];
  const record = strict(valuesOf(resource, row, keepsItems));
  const time = new Date().toISOString();
  return logic.rules.filter((rule) => attempt(() => rule.isBroken(record, time)));
}

/** Whether the totals of a record stay as they are stored. */
const keepsTotals = ({ id, items }: Draft): boolean => id !== undefined && !items.some(areItemsChanged);

/** Whether the form shows a group of fields, as the record is edited. A field without a value is null to its condition. */
export function isGroupShown(draft: Draft, title: string): boolean {
  const { resource } = draft;
  const condition = resource.logic?.form?.[title];
  if (!condition) return true;
  const values = Object.entries(valuesOf(resource, draft, keepsTotals(draft))).map(
    ([name, value]) => [name, value ?? null] as const,
  );
  return attempt(() => condition(Object.fromEntries(values), new Date().toISOString())) ?? true;
}

/** The errors of the last save with those of broken rules. */
function withBroken(resource: Resource, saved: Errors | undefined, broken: readonly Rule[]): Errors | undefined {
  if (broken.length === 0) return saved;
  const open = new Set(editableFields(resource).map(({ name }) => name));
  const atFields = broken.flatMap(({ field = '', message }) => (open.has(field) ? [[field, message] as const] : []));
  const general = broken.flatMap(({ field = '', message }) => (open.has(field) ? [] : [message]));
  return {
    ...saved,
    fields: { ...Object.fromEntries(atFields.toReversed()), ...saved?.fields },
    general: [...new Set([...(saved?.general ?? []), ...general])],
  };
}

/** The errors that the form of a record shows. */
export function errorsOfRecord(draft: Draft): Errors | undefined {
  const { resource } = draft;
  return withBroken(resource, draft.errors.get(recordKey), brokenRules(resource, draft, keepsTotals(draft)));
}

/** The errors that a row of line items shows. */
export function errorsOfRow(draft: Draft, resource: Resource, row: Row): Errors | undefined {
  return withBroken(resource, draft.errors.get(row.key), row.isDeleted ? [] : brokenRules(resource, row));
}
