import { largeParent, mediumParent } from './items.ts';
import { leadPath } from './leads.ts';
import type { Traffic } from './load.ts';
import { randomFrom } from './random.ts';
import {
  agentGets,
  createBatches,
  createLeads,
  getAlways,
  getLeads,
  listItems,
  mixOf,
  pagesAfter,
  pagesAtOffset,
  patchLeads,
  withKeys,
} from './traffic.ts';

/** The names of the operations on the command line. */
export const operationKeys = [
  'get',
  'agent',
  'first',
  'offset',
  'after',
  'items',
  'mix',
  'create',
  'keyed',
  'patch',
  'batch',
  'import',
  'deep',
  'connect',
] as const;
export type OperationKey = (typeof operationKeys)[number];

/** One kind of request, or a mix of several, on a table of some size. */
export interface Operation {
  readonly key: OperationKey;
  /** The operation, in words. */
  readonly name: string;
  readonly traffic: Traffic;
  /** Clients, where it is not as many as elsewhere. */
  readonly connections?: number;
  /** The most CPU time one request should take on SQLite, as a multiple of the Hono floor's. */
  readonly aim?: number;
  /**
   * The part of the answers that a cache can hold: the whole answer if all requests are the same, the records if they are
   * few, and only some of the records in a mix.
   */
  readonly cacheable: 'answer' | 'records' | 'some' | 'no';
  /** Whether it must cost the same on a table of any size. */
  readonly flat?: boolean;
}

/** Clients of the writes that are measured with many. */
const manyConnections = 256;

/** Leads that fit into a cache of some 30 MB. */
const fewRecords = 20_000;

/** The operations on a table of so many leads. The same seed gives the same requests. */
export function operationsOn(rows: number, seed: number): Operation[] {
  const cacheable = rows <= fewRecords ? 'records' : 'no';
  const gets = getLeads(rows, randomFrom(seed));
  const atOffset = pagesAtOffset(rows, randomFrom(seed + 1));
  const after = pagesAfter(rows, randomFrom(seed + 2));
  const patches = patchLeads(rows, randomFrom(seed + 3));
  const creates = createLeads();
  const mix = mixOf(
    [
      { weight: 4, traffic: gets },
      { weight: 2, traffic: atOffset },
      { weight: 2, traffic: after },
      { weight: 1, traffic: creates },
      { weight: 1, traffic: patches },
    ],
    randomFrom(seed + 4),
  );
  const create = { key: 'create', name: 'durable create', traffic: creates, aim: 3.2, cacheable: 'no' } as const;
  const patch = { key: 'patch', name: 'durable patch of any', traffic: patches, aim: 3.5, cacheable: 'no' } as const;
  return [
    { key: 'get', name: 'get by id, any of all', traffic: gets, aim: 2.4, cacheable },
    { key: 'agent', name: 'the same by a tool of an agent', traffic: agentGets(rows, randomFrom(seed)), cacheable },
    { key: 'first', name: 'first page of 20', traffic: getAlways(leadPath), aim: 4.5, cacheable: 'answer', flat: true },
    { key: 'offset', name: 'page at a random offset to 2,000', traffic: atOffset, aim: 5, cacheable: 'records' },
    { key: 'after', name: 'page after a random id of all', traffic: after, aim: 11, cacheable },
    ...[
      { name: 'items of a parent with a tenth', traffic: listItems(largeParent) },
      { name: 'items of a parent with 1,000', traffic: listItems(mediumParent) },
    ].map((items) => ({ ...items, key: 'items', cacheable: 'answer', flat: true }) as const),
    { key: 'mix', name: 'mix of 80% reads, 20% writes', traffic: mix, aim: 6, cacheable: 'some' },
    create,
    { ...create, connections: manyConnections },
    { ...create, key: 'keyed', name: 'durable create with a key', traffic: withKeys(creates), aim: 3.8 },
    patch,
    { ...patch, connections: manyConnections },
    { key: 'batch', name: 'batch of 100 creates', traffic: createBatches(), connections: 4, cacheable: 'no' },
    {
      key: 'import',
      name: 'batch of 100 creates with a key',
      traffic: withKeys(createBatches()),
      connections: 4,
      cacheable: 'no',
    },
  ];
}
