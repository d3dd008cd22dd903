import type { Feature } from '../../kernel/feature.ts';
import { answerTable } from './answer-table.ts';
import { keptAnswers, keyInUse, keyReused } from './answers.ts';

/** A write with an `Idempotency-Key` is done once: a repetition within a day has the response of the first request. */
export const idempotency: Feature = {
  name: 'idempotency',
  needs: ['batch', 'trail'],
  tables: [answerTable],
  errors: [keyInUse, keyReused],
  write: keptAnswers,
  around: async () => (await import('./once.ts')).onceIn,
};
