import type { Api, RecordData } from '../api.ts';
import type { Field, Resource } from '../model.ts';
import { type Draft, editableFields, type Items, newDraft, newRow } from './draft.ts';
import { loadItems, loadAll, noItems } from './load.ts';
import { type Edits, inputOf, isChanged, startingValues } from './values.ts';

/** The fields that a copy has from its record: not those that tell records apart, begin anew, or are set by the service. */
function copiedFields(resource: Resource): readonly Field[] {
  const states = new Set(resource.transitions.map(({ field }) => field));
  return editableFields(resource).filter(
    ({ name, isUnique, isFilled, copiedFrom }) =>
      !isUnique && !states.has(name) && (!isFilled || copiedFrom !== undefined),
  );
}

/** The edits that give a new record the values of another one. */
function editsFrom(resource: Resource, record: Partial<RecordData>): Edits {
  const start = startingValues(editableFields(resource));
  const copied = copiedFields(resource).flatMap((field) => {
    const { name, nullable } = field;
    const input = inputOf(record[name], field);
    const isKept = (input ?? null) === null ? nullable && input === null : true;
    return isKept && isChanged(field, start[name], input) ? [[name, input] as const] : [];
  });
  return Object.fromEntries(copied);
}

/** Reads all line items of a record, and makes new ones of them. @throws as `Api` does */
async function copyItems(api: Api, resource: Resource, parentId: string, signal: AbortSignal): Promise<Items> {
  const items = await loadAll(api, await loadItems(api, resource, parentId, signal), parentId, signal);
  const rows = items.rows.map(({ base }) => ({ ...newRow(resource), edits: editsFrom(resource, base) }));
  return { resource, rows, total: 0, hasMore: false };
}

/**
 * Reads a record, and makes a new one of it, with its line items. Nothing of it is stored before it is saved.
 *
 * @param mayWrite whether the key may create line items of a kind: others are left out
 * @throws as `Api` does
 */
export async function duplicate(
  api: Api,
  resource: Resource,
  id: string,
  mayWrite: (items: Resource) => boolean,
  signal: AbortSignal,
): Promise<Draft> {
  const copied = resource.items.filter((items) => items.can.create && mayWrite(items));
  const [record, ...rows] = await Promise.all([
    api.get(`${resource.path}/${encodeURIComponent(id)}`, signal),
    ...copied.map((items) => copyItems(api, items, id, signal)),
  ]);
  const items = noItems(resource).map((none) => rows.find((one) => one.resource === none.resource) ?? none);
  return { ...newDraft(resource, items), edits: editsFrom(resource, record) };
}
