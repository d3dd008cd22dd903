import { etagOf } from '../../../../client/etag.ts';
import type { Call } from '../../../../client/requests.ts';
import type { RecordData } from '../api.ts';
import { fieldOf, type Resource, type Transition } from '../model.ts';
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
import type { Done, IdOf, Write } from './send.ts';
import { changesOf, type Edits, isChanged } from './values.ts';
import { texts } from '../texts.ts';

/** A line item in the order that it is to have. */
interface Placed<T> {
  readonly id: T;
  /** Its stored number, and its place among all stored items; a new item has none. */
  readonly position?: { readonly idx: number; readonly place: number };
}

/** Stored items in their stored order, and the new ones behind them, as the service adds them. */
const isStoredOrder = <T>(wanted: readonly Placed<T>[]): boolean =>
  wanted.every(({ position }, at) => {
    const before = wanted[at - 1];
    return !before || !position || (before.position !== undefined && before.position.place < position.place);
  });

/**
 * The numbers that line items need for an order: those they have, given out anew and made different where two are the same,
 * and after them as many more as there are new items. So items that are not loaded keep their places.
 *
 * @returns the items whose number changes, or may; none where the order is the stored one
 */
export function renumbered<T>(wanted: readonly Placed<T>[]): readonly { readonly id: T; readonly idx: number }[] {
  if (isStoredOrder(wanted)) return [];
  const free = wanted.flatMap(({ position }) => (position ? [position.idx] : [])).toSorted((a, b) => a - b);
  let last = (free[0] ?? 1) - 1;
  return wanted.flatMap(({ id, position }, at) => {
    last = Math.max(last + 1, free[at] ?? last + 1);
    return last === position?.idx ? [] : [{ id, idx: last }];
  });
}

/** The writes of a save, and the errors that are known before it. */
export interface Plan {
  readonly writes: readonly Write[];
  readonly errors: ReadonlyMap<string, Errors>;
}

type Add = (write: Write, problems?: Errors['fields']) => void;

/** A batch says only what is wrong with its first operation: what is missing in the others is known without the server. */
export function missingIn(
  resource: Pick<Resource, 'fields' | 'parent'>,
  { base, edits }: Pick<Row, 'base' | 'edits'>,
): Errors['fields'] {
  const missing = editableFields(resource).filter(
    ({ name, required }) => required && (Object.hasOwn(edits, name) ? edits[name] : base[name]) === undefined,
  );
  return Object.fromEntries(missing.map(({ name }) => [name, texts.wrong.required]));
}

/** The service refuses a write if another user has changed the record since it was read. */
const asRead = (record: Partial<RecordData>): Call['condition'] => ({ ifMatch: etagOf(record) });

function planRecord(draft: Draft, add: Add): void {
  const { resource, id, base, edits } = draft;
  const { path } = resource;
  const { body, problems } = changesOf(editableFields(resource), base, edits);
  const key = recordKey;
  if (id === undefined) {
    const write: Write = { key, kind: 'create', call: () => ({ method: 'POST', path, body }) };
    add(write, { ...missingIn(resource, draft), ...problems });
  } else if (Object.keys(body).length > 0) {
    add({ key, kind: 'update', call: () => ({ method: 'PATCH', path, id, body, condition: asRead(base) }) }, problems);
  }
}

function planRow(draft: Draft, { resource }: Items, row: Row, add: Add): void {
  const { key, base, edits, isDeleted } = row;
  const { path, parent } = resource;
  const id = String(base['id']);
  if (isBlank(resource, row)) return;
  const condition = asRead(base);
  const isUnguarded = condition?.ifMatch === undefined;
  const { body, problems } = changesOf(editableFields(resource), base, edits);
  if (isDeleted) {
    if (!isNew(row)) add({ key, kind: 'delete', isUnguarded, call: () => ({ method: 'DELETE', path, id, condition }) });
  } else if (isNew(row)) {
    const named = (idOf: IdOf) => ({ [parent?.field ?? '']: draft.id ?? idOf(recordKey), ...body });
    const write: Write = { key, kind: 'create', call: (idOf) => ({ method: 'POST', path, body: named(idOf) }) };
    add(write, { ...missingIn(resource, row), ...problems });
  } else if (Object.keys(body).length > 0) {
    add({ key, kind: 'update', isUnguarded, call: () => ({ method: 'PATCH', path, id, body, condition }) }, problems);
  }
}

/** So many items are moved by one reorder. */
const maxReorder = 1000;

function planOrder(items: Items, add: Add): void {
  const path = `${items.resource.path}/reorder`;
  const rows = keptRows(items);
  const changed = renumbered(
    rows.map((row) => ({
      id: row,
      ...(row.place !== undefined && { position: { place: row.place, idx: Number(row.base['idx']) } }),
    })),
  );
  if (changed.length === 0) return;
  const numbers = new Map(changed.map(({ id, idx }) => [id, idx]));
  const order = new Map(rows.map((row) => [row.key, numbers.get(row) ?? Number(row.base['idx'])]));
  for (let start = 0; start < changed.length; start += maxReorder) {
    const part = changed.slice(start, start + maxReorder);
    const bodyOf = (idOf: IdOf) => ({
      items: part.map(({ id: row, idx }) => ({ id: isNew(row) ? idOf(row.key) : String(row.base['id']), idx })),
    });
    add({ key: path, kind: 'reorder', call: (idOf) => ({ method: 'POST', path, body: bodyOf(idOf) }), order });
  }
}

/** A transition that is asked for. */
export interface Move {
  readonly transition: Transition;
  /** Its input, if it takes one. */
  readonly body?: Call['body'];
  /** Is told what is wrong with the input. */
  readonly refuse?: (errors: Errors) => void;
}

/** The writes that store a draft: the record, its line items and their order, and then the move to another state. */
export function planOf(draft: Draft, move?: Move): Plan {
  const writes: Write[] = [];
  const errors = new Map<string, Errors>();
  const add: Add = (write, fields = {}) => {
    writes.push(write);
    if (Object.keys(fields).length > 0) errors.set(write.key, { fields, general: [] });
  };
  planRecord(draft, add);
  for (const items of draft.items) {
    for (const row of items.rows) planRow(draft, items, row, add);
    planOrder(items, add);
  }
  if (move) {
    const { path } = draft.resource;
    const { transition, body } = move;
    const { name: action } = transition;
    const call: Write['call'] = (idOf) => ({ method: 'POST', path, id: draft.id ?? idOf(recordKey), action, body });
    add({ key: recordKey, kind: 'transition', call });
  }
  return { writes, errors };
}

/** Whether a plan changes, deletes or moves line items that are stored. */
export const changesStoredItems = ({ writes }: Plan): boolean =>
  writes.some(({ key, kind }) => key !== recordKey && kind !== 'create');

/** Whether a plan changes line items whose ETag is not known: see `reloadWithEtags`. */
export const isUnguarded = ({ writes }: Plan): boolean => writes.some((write) => write.isUnguarded);

/** The edits that still change something once a record is stored: what was typed while it was saved. */
const remaining = (resource: Resource, record: RecordData, edits: Edits): Edits =>
  Object.fromEntries(
    Object.entries(edits).filter(([name, input]) => {
      const field = fieldOf(resource, name);
      return field && isChanged(field, record[name], input);
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
      return idx === undefined ? row : { ...row, base: { ...row.base, idx }, place: places.get(row.key) };
    }),
  };
}

function applyToItems(items: Items, { write, record }: Done): Items {
  const { resource, rows, total } = items;
  const { key, kind, order } = write;
  if (order) return key === `${resource.path}/reorder` ? applyOrder(items, order) : items;
  if (!rows.some((row) => row.key === key)) return items;
  if (kind === 'delete') return { ...items, rows: rows.filter((row) => row.key !== key), total: total - 1 };
  const applied = rows.map((row) => {
    if (row.key !== key) return row;
    const edits = remaining(resource, record, row.edits);
    return { ...row, base: record, place: row.place ?? placeBehind(rows), edits };
  });
  return { ...items, rows: applied, total: kind === 'create' ? total + 1 : total };
}

/** The draft once a write of it is done. */
export function applyDone(draft: Draft, done: Done): Draft {
  const { write, record } = done;
  if (write.key !== recordKey) return { ...draft, items: draft.items.map((items) => applyToItems(items, done)) };
  const edits = remaining(draft.resource, record, draft.edits);
  return { ...draft, id: String(record['id']), base: record, edits };
}
