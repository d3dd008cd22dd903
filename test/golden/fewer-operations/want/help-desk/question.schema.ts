// Generated from spec/help-desk/question.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** A question of a customer. */
export const Question = z.strictObject({
  id: field.id(),
  text: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Question = z.infer<typeof Question>;

export const QuestionCreate = creatable(Question);
export const QuestionUpdate = updatable(Question);
export const QuestionQuery = query(Question);
export const questionTable = record('question', Question, {
  path: 'help-desk/question',
  operations: ['list', 'create', 'update'],
  expand: { answer: 'answer' },
  list: QuestionQuery,
});
