import { randomUUID } from 'node:crypto';

import { create, listAll, remove, type Stored } from '../support/records.ts';
import type { LineItem } from '../support/resources.ts';
import { minimalBody } from '../support/samples.ts';
import type { TestServer } from '../support/server.ts';
import { records, singletonNamed } from './interface.ts';

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
