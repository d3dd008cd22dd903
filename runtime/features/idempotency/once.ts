import { ApiError, unavailable } from '../../kernel/model/errors.ts';
import { maxAttempts } from '../../kernel/records/limits.ts';
import type { Write } from '../../kernel/records/write.ts';
import type { WritePipeline } from '../../kernel/records/write-pipeline.ts';
import { answers } from './answer-table.ts';
import { keyInUse } from './answers.ts';
import { repeatedAnswer } from './replay.ts';

/** Has a write be done once, if its origin says so. @throws ApiError `idempotency_key_reused` (422), `idempotency_key_in_use` (409) */
export const onceIn = (next: WritePipeline): WritePipeline => ({
  ...next,
  commit: async (records, write, ids, origin) => {
    if (!origin?.once) return next.commit(records, write, ids, origin);
    const once = { ...origin.once, ids };
    // A single record may be longer than the results of a batch.
    const maxResults = write.op === 'batch' ? write.maxResults : Infinity;
    // A write that is refused now may have been done for the first request.
    const isRefused = write.op === 'batch' && write.writes.length === 0 && write.isTrial;
    const first = isRefused ? await repeatedAnswer(records, once, origin.time, maxResults) : undefined;
    if (first) return first;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const answer = await next.commit(records, sentOnce(write), ids, { ...origin, once }).catch(throwInUse);
      if (answer.result.outcome !== 'repeated') return answer;
      const stored = await repeatedAnswer(records, once, origin.time, maxResults);
      if (stored) return stored;
      // The answer has just become too old.
    }
    throw unavailable('The answer to the first request with this Idempotency-Key is gone. Try again.');
  },
});

/** In a batch, a reorder shows the list as it has left it: a later request would find another one. */
const sentOnce = (write: Write): Write =>
  write.op === 'reorder' ? { op: 'batch', table: write.table, writes: [write], isTrial: false } : write;

/** PostgreSQL did not get the lock of a claim in time (55P03), as another transaction has claimed the key: `where` names the table. */
function throwInUse(error: unknown): never {
  const { code, where } = ((error as Error).cause ?? {}) as { readonly code?: string; readonly where?: string };
  if (code !== '55P03' || !new RegExp(`\\W${answers}`).test(where ?? '')) throw error;
  const detail = 'The first request with this Idempotency-Key is still under way. Try again.';
  throw new ApiError(keyInUse, detail, { headers: { 'Retry-After': '1' }, cause: error });
}
