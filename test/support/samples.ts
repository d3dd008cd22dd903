import { randomUUID } from 'node:crypto';

import { type Field, type LineItem, type Resource, records, singletonNamed } from '../api/interface.ts';
import { type Json, type Stored, create, listAll, remove } from './records.ts';
import type { TestServer } from './server.ts';

export type Body = { [field: string]: Json };

const day = 86_400_000; // milliseconds

/**
 * A value that no other field of the same resource gets for the same seed, so that two mixed-up columns show. It needs
 * the whole width of its type: 53 bits of an integer, all digits of a double, text that must be escaped.
 */
function sampleOf([name, type, options]: Field, position: number, seed: number): Json {
  const number = position + 1 + seed * 100;
  if (name === 'idx') return number; // small: the next item of the parent gets the number after it
  switch (type) {
    case 'string':
      return options?.date
        ? new Date(Date.UTC(2024, 0, 1) + number * day).toISOString().slice(0, 10)
        : `${name} ${seed}: "Zoë" 'Ωμ' 🙂 \\ %s \u{1}\n\t`;
    case 'integer':
      return number % 2 ? Number.MAX_SAFE_INTEGER - number : Number.MIN_SAFE_INTEGER + number;
    case 'number':
      return number % 2 ? number / 7 : -number * 1e15 - 1 / number;
    case 'boolean':
      return (options?.default !== true) === (seed % 2 === 0);
  }
}

/** A distinctive value for one field. Seeds give different values; even ones differ from every default. */
export function sample(resource: Resource, field: string, seed = 0): Json {
  const position = resource.fields.findIndex(([name]) => name === field);
  return sampleOf(resource.fields[position]!, position, seed);
}

const samples = (resource: Resource, seed: number, wanted: (field: Field) => boolean): Body =>
  Object.fromEntries(resource.fields.filter(wanted).map(([name]) => [name, sample(resource, name, seed)]));

const parentValue = (resource: Resource, parentId: string | undefined): Body =>
  resource.kind === 'line-item' && parentId !== undefined ? { [resource.parentField]: parentId } : {};

/** The smallest body that create takes. */
export function minimalBody(resource: Resource, parentId?: string): Body {
  return { ...samples(resource, 0, ([, , options]) => options?.required === true), ...parentValue(resource, parentId) };
}

/** A body with every field. */
export function fullBody(resource: Resource, parentId?: string, seed = 0): Body {
  return { ...samples(resource, seed, () => true), ...parentValue(resource, parentId) };
}

/** The fields that an answer to a create with this body holds, in order, without what the service sets itself. */
export function fieldsAfter(resource: Resource, body: Body): Body {
  return Object.fromEntries(
    resource.fields.map(([name, , options]) => [name, name in body ? body[name]! : (options?.default ?? null)]),
  );
}

/** The names in the order every answer has them. */
export function keysOf(resource: Resource): string[] {
  const timestamps = resource.kind === 'line-item' ? [] : ['created_at', 'updated_at'];
  return ['id', ...resource.fields.map(([name]) => name), ...timestamps];
}

/** The resource's name, an underscore, and at least the 112 bits of a time and of 64 random bits. */
export function idPattern({ name }: Resource): RegExp {
  return new RegExp(`^${name}_[0-9A-Za-z-]{20,40}$`);
}

export const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A fresh parent for line items; a parent that cannot be made again (a singleton) is emptied. */
export async function emptyParent(server: TestServer, item: LineItem): Promise<string> {
  const { parentResource, path } = item;
  if (!parentResource) return `elsewhere_${randomUUID()}`;
  const record = records.find(({ name }) => name === parentResource);
  if (record) return (await create(server, record.path, minimalBody(record))).id;
  const { body } = await server.request('GET', singletonNamed(parentResource).path);
  const { id } = body as Stored;
  for (const slot of await listAll(server, path, { parent_id: id })) await remove(server, path, slot.id);
  return id;
}
