import type { Queued } from '../../../../client/batch.ts';
import type { Call, Requests } from '../../../../client/requests.ts';
import { maxBatchOperations } from '../../../../kernel/model/limits.ts';
import { type Api, problemOf, type RecordData } from '../api.ts';

/** The id of a record by the key of the write that creates it earlier in the same save. */
export type IdOf = (key: string) => string;

/** One write of a save. */
export interface Write {
  /** Names the target: the record, a row of its line items, or their order. */
  readonly key: string;
  readonly kind: 'create' | 'update' | 'delete' | 'reorder' | 'transition';
  readonly call: (idOf: IdOf) => Call;
  /** The condition of the call has no ETag yet. */
  readonly isUnguarded?: boolean;
  /** For a reorder: all rows with their new numbers. */
  readonly order?: ReadonlyMap<string, number>;
}

/** A write that is done, and its response. */
export interface Done {
  readonly write: Write;
  readonly record: RecordData;
}

/** How a save has ended: everything that was done, and what was not, with the reason. */
export interface Outcome {
  readonly done: readonly Done[];
  readonly failure?: {
    /** The write that was refused, if it was one of them. */
    readonly write: Write | undefined;
    readonly error: unknown;
  };
}

/** Queues a write of a batch. */
export const queued = (requests: Requests, call: Call): Queued<RecordData> =>
  requests.send(call) as unknown as Queued<RecordData>;

/** Does writes in one commit: all or none. */
async function sendTogether(
  api: Api,
  writes: readonly Write[],
  created: ReadonlyMap<string, string>,
): Promise<readonly RecordData[]> {
  const ids = new Map(created);
  const idOf: IdOf = (key) => ids.get(key) as string;
  const [only] = writes;
  if (writes.length === 1 && only) return [await api.send(only.call(idOf))];
  return api.batch((requests) =>
    writes.map(({ key, call }) => {
      const sent = queued(requests, call(idOf));
      if (!ids.has(key)) ids.set(key, sent.id);
      return sent;
    }),
  );
}

/**
 * Does the writes of a save in their order: up to 100 in one commit, all or none. More are done in several, and end at the
 * first that fails.
 */
export async function send(api: Api, writes: readonly Write[]): Promise<Outcome> {
  const done: Done[] = [];
  const created = new Map<string, string>();
  for (let start = 0; start < writes.length; start += maxBatchOperations) {
    const chunk = writes.slice(start, start + maxBatchOperations);
    try {
      const records = await sendTogether(api, chunk, created);
      for (const [at, write] of chunk.entries()) {
        const record = records[at] as RecordData;
        done.push({ write, record });
        if (write.kind === 'create') created.set(write.key, String(record['id']));
      }
    } catch (error) {
      const at = problemOf(error)?.operation ?? (chunk.length === 1 ? 0 : -1);
      return { done, failure: { write: chunk[at], error } };
    }
  }
  return { done };
}
