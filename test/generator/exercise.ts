import { expect } from 'vitest';

import { referencesOf, type Resource } from '../../generator/model/model.ts';
import { type Body, fullBody, minimalBody, recordOf } from './samples.ts';
import type { Running } from './server.ts';

interface Stored {
  readonly id: string;
}

/**
 * Creates, retrieves, updates, finds and lists a record with as few fields as can be and one with all of them, page by page,
 * reorders line items, moves the first record through the transitions, and deletes both. It retrieves and
 * updates the one record of a singleton. A resource with rules is left out.
 */
export async function exercise(server: Running, resource: Resource, resources: readonly Resource[]): Promise<void> {
  const { kind, path, operations, lock, rules } = resource;
  // The bodies know no rules.
  if (rules.length > 0) return;
  if (kind === 'singleton') {
    const only = (await server.request('GET', path, 200)) as Stored;
    expect(only).toEqual({ ...given(resource), ...recordOf(resource, {}) });
    expect(Object.keys(only)).toEqual(keysOf(resource));
    if (operations.includes('update')) {
      expect(await server.request('PATCH', `${path}/${only.id}`, 200, {})).toEqual(only);
      const sample = fullBody(resource);
      const body = { ...sample, ...(await namedBy(server, resource, resources, sample)) };
      const changed = { ...only, ...body, updated_at: timestamp };
      expect(await server.request('PATCH', `${path}/${only.id}`, 200, body)).toEqual(changed);
      expect(await server.request('GET', path, 200)).toEqual(changed);
    }
    return;
  }
  const samples = [minimalBody(resource), fullBody(resource)];
  const named = await namedBy(server, resource, resources, Object.assign({}, ...samples) as Body);
  const listPath = kind === 'record' ? path : `${path}?parent_id=${named[resource.parent!.field]}`;
  const before = operations.includes('list') ? await listed(server, listPath) : [];
  const made: Stored[] = [];
  for (const sample of operations.includes('create') ? samples : []) {
    const isSent = ([name]: [string, unknown]): boolean => name in sample || name === resource.parent?.field;
    const body = { ...sample, ...Object.fromEntries(Object.entries(named).filter(isSent)) };
    if (made[0] && clashes(resource, made[0], body)) {
      await server.request('POST', path, 409, body);
      continue;
    }
    const record = (await server.request('POST', path, 201, body)) as Stored;
    expect(record).toEqual({ ...given(resource), ...recordOf(resource, body), ...derivedIn(resource, record) });
    expect(Object.keys(record)).toEqual(keysOf(resource));
    if (operations.includes('retrieve')) {
      expect(await server.request('GET', `${path}/${record.id}`, 200)).toEqual(record);
    }
    if (operations.includes('update')) {
      expect(await server.request('PATCH', `${path}/${record.id}`, 200, record)).toEqual(record);
    }
    if (operations.includes('list')) await find(server, resource, listPath, record);
    made.push(record);
  }
  const [, full] = made;
  if (full && operations.includes('update')) {
    const changed = { ...full, ...clearing(resource), ...(kind === 'record' && { updated_at: timestamp }) };
    made[1] = (await server.request('PATCH', `${path}/${full.id}`, 200, clearing(resource))) as Stored;
    expect(made[1]).toEqual({ ...changed, ...derivedIn(resource, made[1]) });
  }
  if (operations.includes('list')) {
    const all = kind === 'record' ? [...made.toReversed(), ...before] : [...before, ...made];
    expect(await listed(server, listPath)).toEqual(all);
    await pageThrough(server, listPath, all);
  }
  if (operations.includes('reorder')) {
    const items = made.toReversed().map(({ id }, index) => ({ id, idx: 101 + index }));
    const page = (await server.request('POST', `${path}/reorder`, 200, { items })) as { data: Stored[] };
    expect(page.data.slice(-items.length).map(({ id }) => id)).toEqual(items.map(({ id }) => id));
  }
  const moved = made[0] && (await move(server, resource, made[0]));
  for (const { id } of operations.includes('delete') ? made : []) {
    const state = id === moved?.id ? moved[lock?.field ?? ''] : undefined;
    if (lock?.states.includes(state as string)) {
      await server.request('DELETE', `${path}/${id}`, 409);
      continue;
    }
    expect(await server.request('DELETE', `${path}/${id}`, 200)).toEqual({ id, deleted: true });
    await server.request('DELETE', `${path}/${id}`, 404);
  }
}

/** Finds a record by each of its values that lists are filtered by; by the first of a list. */
async function find(server: Running, { list }: Resource, path: string, record: Stored): Promise<void> {
  for (const name of list.filter) {
    const value = Reflect.get(record, name) as unknown;
    const [one, operator] = Array.isArray(value) ? [(value as unknown[])[0], '[has]'] : [value, ''];
    if (one === null || one === undefined) continue;
    const condition = `${name}${operator}=${encodeURIComponent(String(one))}`;
    const { data } = (await server.request('GET', `${path}${path.includes('?') ? '&' : '?'}${condition}`, 200)) as {
      data: Stored[];
    };
    expect(data, condition).toContainEqual(record);
  }
}

/** Whether a record has the same values as a body in fields that are unique. */
const clashes = ({ unique = [] }: Resource, record: object, body: Readonly<Record<string, unknown>>): boolean =>
  unique.some(({ fields }) =>
    fields.every((field) => (body[field] ?? null) !== null && Reflect.get(record, field) === body[field]),
  );

/** Tries the transitions one after the other: those from the state that the record is in move it, the others do not. @returns the record as it is then */
async function move(server: Running, resource: Resource, record: Stored): Promise<Readonly<Record<string, unknown>>> {
  const state: Record<string, unknown> = { ...record };
  const { path, transitions } = resource;
  for (const { name, field, from, to, input, set = {}, rule, requires } of transitions) {
    // The bodies know no rules.
    if (rule || requires) continue;
    const isPossible = from.includes(state[field] as string);
    const body = input && minimalBody({ fields: input });
    const status = isPossible ? 200 : 409;
    const answer = (await server.request('POST', `${path}/${record.id}/${name}`, status, body)) as object;
    if (!isPossible) continue;
    if (to !== undefined) state[field] = to;
    const inputs = recordOf({ fields: input ?? [] }, body ?? {});
    for (const [column, value] of Object.entries(set)) {
      if ('input' in value) state[column] = inputs[value.input] ?? null;
      if ('value' in value) state[column] = value.value;
    }
    expect(answer).toEqual({ ...state, ...derivedIn(resource, answer), updated_at: timestamp });
  }
  return state;
}

/** Clears all that can be cleared. */
const clearing = ({ fields }: Resource): Record<string, null> =>
  Object.fromEntries(
    fields
      .filter(({ required, nullable, readOnly, immutable }) => !required && nullable && !readOnly && !immutable)
      .map(({ name }) => [name, null]),
  );

/** Reads the last record of a list by offset, and by the cursor of the one before. */
async function pageThrough(server: Running, path: string, all: readonly Stored[]): Promise<void> {
  const [before, last] = all.slice(-2);
  if (!before || !last) return;
  const query = `${path}${path.includes('?') ? '&' : '?'}limit=1`;
  const page = { data: [last], has_more: false, total: all.length };
  expect(await server.request('GET', `${query}&offset=${all.length - 1}`, 200)).toEqual(page);
  expect(await server.request('GET', `${query}&after=${before.id}`, 200)).toEqual(page);
}

async function listed(server: Running, path: string): Promise<Stored[]> {
  const page = (await server.request('GET', path, 200)) as { data: Stored[]; has_more: boolean; total: number };
  expect(page).toEqual({ data: page.data, has_more: false, total: page.data.length });
  return page.data;
}

/** The ids of records for the fields of a body that name one. */
async function namedBy(server: Running, resource: Resource, all: readonly Resource[], body: Body): Promise<Body> {
  const { parent } = resource;
  const targets = new Map(referencesOf(resource).map(({ name, resource: key }) => [name, key]));
  const inBody = [...targets].filter(([name]) => name in body);
  const named: Body = {};
  for (const [name, key] of [...inBody, ...(parent ? [[parent.field, parent.resource] as const] : [])])
    named[name] = await idOf(server, key, all);
  return named;
}

/** The id of a record that is there, or is created with as few fields as can be. */
async function idOf(server: Running, key: string | undefined, all: readonly Resource[]): Promise<string> {
  const resource = all.find((one) => one.key === key);
  if (!resource) return 'elsewhere_1';
  const { kind, path, operations } = resource;
  if (kind === 'singleton') return ((await server.request('GET', path, 200)) as Stored).id;
  const [stored] = operations.includes('list') ? await listed(server, path) : [];
  if (stored) return stored.id;
  const body = minimalBody(resource);
  const complete = { ...body, ...(await namedBy(server, resource, all, body)) };
  return ((await server.request('POST', path, 201, complete)) as Stored).id;
}

const timestamp: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** The values of a record that follow from others or from each change, which other tests check. */
const derivedIn = ({ fields }: Resource, record: object): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap(({ name, computed, always }) =>
      computed === undefined && !always ? [] : [[name, (record as Readonly<Record<string, unknown>>)[name]]],
    ),
  );

/** The fields that come with a kind. */
const given = ({ kind, name }: Resource): object => ({
  id: expect.stringMatching(new RegExp(`^${name}_[0-9A-Za-z-]{20,40}$`)) as unknown,
  ...(kind === 'line-item' ? { idx: expect.any(Number) as unknown } : { created_at: timestamp, updated_at: timestamp }),
});

const keysOf = ({ kind, fields }: Resource): string[] => {
  const names = fields.map(({ name }) => name);
  return kind === 'line-item' ? ['id', 'idx', ...names] : ['id', ...names, 'created_at', 'updated_at'];
};
