import { tryDecodeURIComponent } from 'hono/utils/url';
import type { Table } from '../model/table.ts';
import { endpointsOf } from './endpoint.ts';
import { type WriteEndpoint, writeEndpoint } from './write-handlers.ts';

/** A write, and the id in its path; empty if it has none. */
export interface FoundWrite {
  readonly endpoint: WriteEndpoint;
  readonly id: string;
}

/** Makes a function that finds the write that a method and a path without its query name, of these tables. */
export function findWriteOf(tables: readonly Table[]): (method: string, path: string) => FoundWrite | undefined {
  const writes = new Map(
    tables
      .flatMap(endpointsOf)
      .filter(({ operation }) => operation.method !== 'GET')
      .map((endpoint) => [`${endpoint.operation.method} ${endpoint.pattern}`, writeEndpoint(endpoint)]),
  );
  return (method, path) => {
    const segments = path.split('/');
    // An id is the last segment, or the one before it.
    for (const place of [-1, -2]) {
      const id = segments.at(place) ?? '';
      const endpoint = id === '' ? undefined : writes.get(`${method} ${segments.with(place, ':id').join('/')}`);
      if (endpoint) return { endpoint, id: tryDecodeURIComponent(id) };
    }
    const endpoint = writes.get(`${method} ${path}`);
    return endpoint && { endpoint, id: '' };
  };
}
