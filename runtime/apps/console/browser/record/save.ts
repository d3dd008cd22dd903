import type { RecordData } from '../api.ts';
import type { Resource, Transition } from '../model.ts';
import {
  type Draft,
  editableFields,
  type Errors,
  isBlank,
  isNew,
  type Items,
  keptRows,
  recordKey,
  type Row,
} from './draft.ts';
import { type Done, IdOf, type Operation } from './operations.ts';
import { renumbered } from './order.ts';
import { type Changes, changesOf, type Edits, isChanged } from './values.ts';

/** A write of a save. */
export interface Write extends Operation {
  /** For a reorder: all rows with their new numbers. */
  readonly order?: ReadonlyMap<string, number>;
}

/** The writes of a save, and the errors that are known before it. */
export interface Plan {
  readonly writes: readonly Write[];
  readonly errors: ReadonlyMap<string, Errors>;
}

/** The key of a move to another state. */
export const transitionKey = 'transition';

interface Edited {
  readonly stored: Partial<RecordData>;
  readonly edits: Edits;
}

/** A batch says only what is wrong with its first operation: what is missing in the others is known without the server. */
function missingIn(resource: Resource, { stored, edits }: Edited): Errors['fields'] {
  const missing = editableFields(resource).filter(
    ({ name, required }) => required && (Object.hasOwn(edits, name) ? edits[name] : stored[name]) === undefined,
  );
  return Object.fromEntries(missing.map(({ name }) => [name, 'is required']));
}

const changesIn = (resource: Resource, { stored, edits }: Edited): Changes =>
  changesOf(editableFields(resource), stored, edits);

function planRecord(draft: Draft, add: (write: Write, problems: Errors['fields']) => void): void {
  const { resource, id, stored } = draft;
  const { body, problems } = changesIn(resource, draft);
  if (id === undefined) {
    const missing = missingIn(resource, draft);
    add({ key: recordKey, method: 'POST', path: [resource.path], body }, { ...missing, ...problems });
  } else if (Object.keys(body).length > 0) {
    // With this the service refuses it if another user has changed the record since it was read.
    const { updated_at } = stored;
    const checked = updated_at === undefined ? body : { ...body, updated_at };
    add({ key: recordKey, method: 'PATCH', path: [resource.path, id], body: checked }, problems);
  }
}

const parentOf = ({ id }: Draft): string | IdOf => id ?? new IdOf(recordKey);

function planRow(
  draft: Draft,
  { resource }: Items,
  row: Row,
  add: (write: Write, problems: Errors['fields']) => void,
): void {
  const { key, stored, isDeleted } = row;
  const { path, parent } = resource;
  const id = String(stored['id']);
  if (isBlank(resource, row)) return;
  const { body, problems } = changesIn(resource, row);
  if (isDeleted) {
    if (!isNew(row)) add({ key, method: 'DELETE', path: [path, id] }, {});
  } else if (isNew(row)) {
    const named = { [parent?.field ?? '']: parentOf(draft), ...body };
    add({ key, method: 'POST', path: [path], body: named }, { ...missingIn(resource, row), ...problems });
  } else if (Object.keys(body).length > 0) {
    add({ key, method: 'PATCH', path: [path, id], body }, problems);
  }
}

/** So many items are moved by one reorder. */
const maxReorder = 1000;

function planOrder(items: Items, add: (write: Write, problems: Errors['fields']) => void): void {
  const { path } = items.resource;
  const rows = keptRows(items);
  const changed = renumbered(
    rows.map(({ key, place, stored }) => ({
      id: key,
      ...(place !== undefined && { stored: { place, idx: Number(stored['idx']) } }),
    })),
  );
  if (changed.length === 0) return;
  const ids = new Map(rows.map((row) => [row.key, isNew(row) ? new IdOf(row.key) : String(row.stored['id'])]));
  const numbers = new Map(changed.map(({ id, idx }) => [id, idx]));
  const order = new Map(rows.map(({ key, stored }) => [key, numbers.get(key) ?? Number(stored['idx'])]));
  for (let start = 0; start < changed.length; start += maxReorder) {
    const part = changed.slice(start, start + maxReorder);
    const body = { items: part.map(({ id, idx }) => ({ id: ids.get(id), idx })) };
    add({ key: `${path} order`, method: 'POST', path: [path, 'reorder'], body, order }, {});
  }
}

/** The writes that store a draft: the record, its line items and their order, and then the move to another state. */
export function planOf(draft: Draft, transition?: Transition): Plan {
  const writes: Write[] = [];
  const errors = new Map<string, Errors>();
  const add = (write: Write, fields: Errors['fields']): void => {
    writes.push(write);
    if (Object.keys(fields).length > 0) errors.set(write.key, { fields, others: [] });
  };
  planRecord(draft, add);
  for (const items of draft.items) {
    for (const row of items.rows) planRow(draft, items, row, add);
    planOrder(items, add);
  }
  if (transition) {
    add({ key: transitionKey, method: 'POST', path: [draft.resource.path, parentOf(draft), transition.name] }, {});
  }
  return { writes, errors };
}

/** Whether a plan changes, deletes or moves line items that are stored. */
export const changesStoredItems = ({ writes }: Plan): boolean =>
  writes.some(
    ({ key, method, path }) => key !== recordKey && key !== transitionKey && !(method === 'POST' && path.length === 1),
  );

/** The edits that still change something once a record is stored: what was typed while it was saved. */
const remaining = (resource: Resource, stored: RecordData, edits: Edits): Edits =>
  Object.fromEntries(
    Object.entries(edits).filter(([name, input]) => {
      const field = resource.fields.find((one) => one.name === name);
      return field && isChanged(field, stored[name], input);
    }),
  );

const placeBehind = (rows: readonly Row[]): number => Math.max(-1, ...rows.map(({ place = -1 }) => place)) + 1;

/** The numbers and places that rows have after a reorder. */
function applyOrder({ rows, ...items }: Items, order: ReadonlyMap<string, number>): Items {
  const places = new Map([...order.keys()].map((key, place) => [key, place]));
  return {
    ...items,
    rows: rows.map((row) => {
      const idx = order.get(row.key);
      return idx === undefined ? row : { ...row, stored: { ...row.stored, idx }, place: places.get(row.key) };
    }),
  };
}

function applyToItems(items: Items, write: Write, answer: RecordData): Items {
  const { resource, rows, total } = items;
  if (write.order && write.key === `${resource.path} order`) return applyOrder(items, write.order);
  if (!rows.some(({ key }) => key === write.key)) return items;
  if (write.method === 'DELETE')
    return { ...items, rows: rows.filter(({ key }) => key !== write.key), total: total - 1 };
  const applied = rows.map((row) => {
    if (row.key !== write.key) return row;
    const edits = remaining(resource, answer, row.edits);
    return { ...row, stored: answer, place: row.place ?? placeBehind(rows), edits };
  });
  return { ...items, rows: applied, total: write.method === 'POST' ? total + 1 : total };
}

/** The draft once a write of it is done. */
export function applyDone(draft: Draft, { operation, answer }: Done<Write>): Draft {
  const { key } = operation;
  if (key === recordKey || key === transitionKey) {
    const edits = remaining(draft.resource, answer, draft.edits);
    return { ...draft, id: String(answer['id']), stored: answer, edits };
  }
  return { ...draft, items: draft.items.map((items) => applyToItems(items, operation, answer)) };
}
