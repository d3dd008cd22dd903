// Generated from spec/help-desk/question.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A question of a customer. */
export const Question = z.strictObject({
  id: id(),
  text: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Question = z.infer<typeof Question>;

export const QuestionCreate = creatable(Question);
export const QuestionUpdate = updatable(Question);
export const questionTable = record('question', Question);
