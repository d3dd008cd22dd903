import type { RecordData } from '../api.ts';
import { archivedAt, type Field, fieldOf, type Resource } from '../model.ts';
import type { Merge } from './reconcile.ts';
import { changedFields, type Edits, type Input, isChanged, startingValues } from './values.ts';
import { titleOf } from '../text.ts';
import { texts } from '../texts.ts';

/** A line item as it is edited. */
export interface Row {
  /** Stays while the page is open, also when a new item gets its id. */
  readonly key: string;
  /** As it was read; the starting values of a new one, which has no id. */
  readonly base: Partial<RecordData>;
  /** Its place among the stored items. */
  readonly place: number | undefined;
  readonly edits: Edits;
  readonly isDeleted: boolean;
}

/** The line items of one kind. */
export interface Items {
  readonly resource: Resource;
  /** In the order that they are to have. */
  readonly rows: readonly Row[];
  /** The number of stored items, also of those that are not loaded. */
  readonly total: number;
  readonly hasMore: boolean;
}

/** The errors of a record or a row: by field, and the general ones, which are about no field. */
export interface Errors {
  readonly fields: Readonly<{ [field: string]: string }>;
  readonly general: readonly string[];
  /** The record that messages name by its id. */
  readonly conflicting?: { readonly route: string; readonly id: string };
}

/** A record as it is edited, with its line items. Nothing of it is stored before it is saved. */
export interface Draft {
  readonly resource: Resource;
  /** Undefined for a new record. */
  readonly id: string | undefined;
  readonly base: Partial<RecordData>;
  readonly edits: Edits;
  readonly items: readonly Items[];
  /** By the key of the record, and of rows. */
  readonly errors: ReadonlyMap<string, Errors>;
  /** Changes of others that are not stored over without a question; by the key of the record, and of rows. */
  readonly conflicts: ReadonlyMap<string, Merge>;
}

/** The key of the record itself, where rows have theirs. */
export const recordKey = 'record';

/** The fields that can be set in a form. @param parent of line items: their fields, too, are set by the page they are on */
export const editableFields = ({ fields, parent }: Pick<Resource, 'fields' | 'parent'>): readonly Field[] =>
  fields.filter(({ name, readOnly }) => !readOnly && !(parent && (name === 'idx' || name === parent.field)));

export const newDraft = (resource: Resource, items: readonly Items[]): Draft => ({
  resource,
  id: undefined,
  base: startingValues(editableFields(resource)),
  edits: {},
  items,
  errors: new Map(),
  conflicts: new Map(),
});

export const draftOf = (resource: Resource, record: RecordData, items: readonly Items[]): Draft => ({
  ...newDraft(resource, items),
  id: String(record['id']),
  base: record,
});

export const storedRow = (resource: Resource, record: RecordData, place: number): Row => ({
  key: `${resource.path} ${record['id']}`,
  base: record,
  place,
  edits: {},
  isDeleted: false,
});

let newRows = 0;

/** A new line item, in which nothing was written yet. */
export const newRow = (resource: Resource): Row => ({
  key: `${resource.path} new ${++newRows}`,
  base: startingValues(editableFields(resource)),
  place: undefined,
  edits: {},
  isDeleted: false,
});

export const isNew = ({ place }: Row): boolean => place === undefined;

const changedOf = (resource: Resource, { base, edits }: { base: Partial<RecordData>; edits: Edits }) =>
  changedFields(editableFields(resource), base, edits);

/** A new row that nothing was written in is not stored. */
export const isBlank = (resource: Resource, row: Row): boolean => isNew(row) && changedOf(resource, row).length === 0;

/** Whether there are such rows. */
export const hasBlankRows = ({ items }: Draft): boolean =>
  items.some(({ resource, rows }) => rows.some((row) => isBlank(resource, row)));

/** Whether a save writes a row, its place aside. */
export const isRowChanged = (resource: Resource, row: Row): boolean =>
  row.isDeleted ? !isNew(row) : changedOf(resource, row).length > 0;

/** The rows that are there when the draft is stored, in their order. */
export const keptRows = ({ resource, rows }: Items): readonly Row[] =>
  rows.filter((row) => !row.isDeleted && !isBlank(resource, row));

/** Whether rows stand in another order than they are stored in. */
const isMoved = (items: Items): boolean =>
  keptRows(items).some(({ place }, at, rows) => {
    const before = rows[at - 1];
    return before !== undefined && place !== undefined && (before.place === undefined || before.place > place);
  });

/** The unsaved changes of line items. */
export const changedItems = (items: Items): { readonly isMoved: boolean; readonly hasChangedRows: boolean } => ({
  isMoved: isMoved(items),
  hasChangedRows: items.rows.some((row) => isRowChanged(items.resource, row)),
});

export const areItemsChanged = (items: Items): boolean => Object.values(changedItems(items)).includes(true);

/** Whether a record is archived. */
export const isArchived = ({ resource, base }: Pick<Draft, 'resource' | 'base'>): boolean =>
  resource.archive !== undefined && typeof base[archivedAt] === 'string';

/** The lock of a record: the reason in words, and the fields that can change even so; undefined if it is not locked. */
export function lockOf(draft: Draft): { readonly why: string; readonly except?: readonly string[] } | undefined {
  const { resource, id, base } = draft;
  if (isArchived(draft)) return { why: texts.record.isArchived };
  const { field = '', states = [], except } = resource.lock ?? {};
  const state = String(base[field]);
  if (id === undefined || !states.includes(state)) return undefined;
  return { why: texts.record.stateIs(titleOf(field), state), ...(except && { except }) };
}

/** Whether there is something to save. */
export const hasChanges = (draft: Draft): boolean =>
  changedOf(draft.resource, draft).length > 0 || draft.items.some(areItemsChanged);

/** Keeps an edit while it changes something; what was wrong with the field is no longer said. */
function withEdit(
  resource: Resource,
  { base, edits }: { base: Partial<RecordData>; edits: Edits },
  name: string,
  input: Input,
): Edits {
  const field = fieldOf(resource, name);
  const { [name]: _, ...rest } = edits;
  return field && isChanged(field, base[name], input) ? { ...rest, [name]: input } : rest;
}

/** Rules may be about several fields: once one of them is edited, the form finds again which are broken. */
function withoutError({ errors }: Draft, resource: Resource | undefined, key: string, name: string): Draft['errors'] {
  const before = errors.get(key);
  if (!before) return errors;
  const rules = new Set(resource?.logic?.rules.map(({ message }) => message));
  const general = before.general.filter((message) => !rules.has(message));
  const fields = Object.entries(before.fields).filter(([at, message]) => at !== name && !rules.has(message));
  return new Map(errors).set(key, { ...before, general, fields: Object.fromEntries(fields) });
}

/** Sets a field of the record. */
export const edit = (draft: Draft, name: string, input: Input): Draft => ({
  ...draft,
  edits: withEdit(draft.resource, draft, name, input),
  errors: withoutError(draft, draft.resource, recordKey, name),
});

/** Changes the line items of one kind. */
export const withItems = (draft: Draft, path: string, change: (items: Items) => Items): Draft => ({
  ...draft,
  items: draft.items.map((items) => (items.resource.path === path ? change(items) : items)),
});

const withRows = (draft: Draft, path: string, change: (rows: readonly Row[], items: Items) => readonly Row[]): Draft =>
  withItems(draft, path, (items) => ({ ...items, rows: change(items.rows, items) }));

const withRow = (draft: Draft, path: string, key: string, change: (row: Row, resource: Resource) => Row): Draft =>
  withRows(draft, path, (rows, { resource }) => rows.map((row) => (row.key === key ? change(row, resource) : row)));

/** Sets a field of a row. */
export const editRow = (draft: Draft, path: string, key: string, name: string, input: Input): Draft => ({
  ...withRow(draft, path, key, (row, resource) => ({ ...row, edits: withEdit(resource, row, name, input) })),
  errors: withoutError(draft, draft.items.find(({ resource }) => resource.path === path)?.resource, key, name),
});

export const addRow = (draft: Draft, path: string): Draft =>
  withRows(draft, path, (rows, { resource }) => [...rows, newRow(resource)]);

/** Adds rows in which something is written already, in the place of blank ones. @param rows the contents of their controls, and what is known to be wrong with them */
export function addRows(
  draft: Draft,
  path: string,
  rows: readonly { readonly edits: Edits; readonly errors: Errors }[],
): Draft {
  const resource = draft.items.find((items) => items.resource.path === path)?.resource;
  if (!resource) return draft;
  const errors = new Map(draft.errors);
  const added = rows.map(({ edits, errors: wrong }) => {
    const row = newRow(resource);
    if (Object.keys(wrong.fields).length + wrong.general.length > 0) errors.set(row.key, wrong);
    const changed = changedFields(editableFields(resource), row.base, edits).map(({ name }) => [name, edits[name]]);
    return { ...row, edits: Object.fromEntries(changed) };
  });
  const isWritten = (row: Row): boolean => !isBlank(resource, row);
  return { ...withRows(draft, path, (before) => [...before.filter(isWritten), ...added]), errors };
}

/** Marks a row as deleted, or takes that back; a new one goes. */
export const toggleRow = (draft: Draft, path: string, key: string): Draft =>
  withRows(draft, path, (rows) =>
    rows.flatMap((row) => {
      if (row.key !== key) return [row];
      return isNew(row) ? [] : [{ ...row, isDeleted: !row.isDeleted }];
    }),
  );

/** Moves an entry to another place, and all between by one. */
export const moved = <T>(list: readonly T[], from: number, to: number): readonly T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, list[from] as T);

export const moveRow = (draft: Draft, path: string, from: number, to: number): Draft =>
  withRows(draft, path, (rows) => moved(rows, from, to));
