import { expect } from 'vitest';

import { camelCase } from '../../generator/model/names.ts';
import { type LineItem, named, type Resource } from './resources.ts';
import { type Body, fieldsAfter, minimalBody, sample } from './samples.ts';

/** A client, whatever its service is. */
export type AnyClient = Readonly<Record<string, Readonly<Record<string, AnyOperations>> | unknown>>;

type Stored = Body & { readonly id: string };
type Listed = { readonly data: readonly Stored[]; readonly has_more: boolean; readonly total: number };

/** The operations of a resource, as far as it has them. */
interface AnyOperations {
  create(body: object): Promise<Stored>;
  retrieve(id?: string, view?: object): Promise<Stored>;
  update(id: string, changes: object): Promise<Stored>;
  delete(id: string): Promise<unknown>;
  submit(id: string): Promise<Stored>;
  cancel(id: string): Promise<Stored>;
  list(first?: unknown, second?: unknown): Promise<Listed>;
  count?(query: object): Promise<unknown>;
  each(first?: unknown, second?: unknown): AsyncIterable<Stored>;
  reorder(items: readonly object[]): Promise<Listed>;
}

/** The operations of a resource in a client. */
function operationsOf(client: AnyClient, { path, name }: Resource): AnyOperations {
  const area = camelCase(path.split('/').at(-2) ?? '');
  return (client[area] as Record<string, AnyOperations>)[camelCase(name)]!;
}

/**
 * Does every operation of a resource once through its client, and expects the answers that it should give.
 *
 * @param all the resources of the service, for the parents of line items
 */
export async function fullRound(client: AnyClient, resource: Resource, all: readonly Resource[]): Promise<void> {
  const operations = operationsOf(client, resource);
  const known = resource.operations.flatMap((name) => (name === 'list' ? ['list', 'each'] : [name]));
  const { count } = operations;
  expect(Object.keys(operations).toSorted()).toEqual([...known, ...(count ? ['count'] : [])].toSorted());
  if (resource.kind === 'singleton') return singletonRound(operations, resource);

  const parentId = resource.kind === 'line-item' ? await parentIdOf(client, resource, all) : undefined;
  const body = minimalBody(resource, parentId);
  const made = await operations.create(body);
  const { idx: _, ...fields } = fieldsAfter(resource, body);
  expect(made).toMatchObject(fields);
  const isItem = resource.kind === 'line-item';
  const where = isItem ? [parentId] : [];
  if (!isItem) expect(await operations.retrieve(made.id)).toEqual(made);

  const changes = changesOf(resource, parentId);
  const changed = await operations.update(made.id, changes);
  expect(changed).toMatchObject({ id: made.id, ...changes });
  for (const name of ['submit', 'cancel'] as const) {
    if (!resource.operations.includes(name)) continue;
    if (name === 'submit') await operations.update(made.id, { status: 'draft' });
    expect(await operations[name](made.id)).toMatchObject({ status: name === 'submit' ? 'submitted' : 'cancelled' });
  }
  if (isItem) {
    const { data } = await operations.reorder([{ id: made.id, idx: 7 }]);
    expect(data).toContainEqual({ ...changed, idx: 7 });
  }
  const query = { filter: { id: made.id }, fields: ['id'] };
  expect(await operations.list(...where, query)).toEqual({ data: [{ id: made.id }], has_more: false, total: 1 });
  const found = await Array.fromAsync(operations.each(...where, query));
  expect(found).toEqual([{ id: made.id }]);
  if (count) {
    const asked = { filter: query.filter, ...(isItem && { parent_id: parentId }) };
    expect(await count(asked)).toEqual({ data: [{ count: 1 }], total: 1 });
  }
  if (!resource.operations.includes('delete')) return;
  expect(await operations.delete(made.id)).toEqual({ id: made.id, deleted: true });
  expect(await operations.list(...where, query)).toEqual({ data: [], has_more: false, total: 0 });
}

/** The id of a parent for line items. */
async function parentIdOf(client: AnyClient, item: LineItem, all: readonly Resource[]): Promise<string> {
  if (item.parentResource === undefined) return 'elsewhere-1';
  const parent = named(all, item.parentResource);
  const operations = operationsOf(client, parent);
  const { id } = await (parent.kind === 'singleton' ? operations.retrieve() : operations.create(minimalBody(parent)));
  return id;
}

async function singletonRound(operations: AnyOperations, resource: Resource): Promise<void> {
  const { id } = await operations.retrieve();
  const changes = changesOf(resource);
  const changed = await operations.update(id, changes);
  expect(changed).toMatchObject(changes);
  expect(await operations.retrieve()).toEqual(changed);
}

/** Another value for the last field that can be set, which a change that reaches no further than the first would miss. */
function changesOf(resource: Resource, parentId?: string): Body {
  const parentField = resource.kind === 'line-item' && parentId !== undefined ? resource.parentField : undefined;
  const last = resource.fields.findLast(([name, , options]) => !options?.readOnly && name !== parentField);
  return last ? { [last[0]]: sample(resource, last[0], 3) } : {};
}
