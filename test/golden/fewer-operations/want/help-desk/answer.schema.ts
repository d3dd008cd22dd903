// Generated from spec/help-desk/answer.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, lineItem, query } from '../../runtime/index.ts';

/** An answer to a question. */
export const Answer = z.strictObject({
  id: field.id(),
  idx: field.position(),
  question_id: field.text(),
  text: field.text(),
});
export type Answer = z.infer<typeof Answer>;

export const AnswerCreate = creatable(Answer);
export const AnswerQuery = query(Answer);
export const answerTable = lineItem('answer', Answer, {
  path: 'help-desk/answer',
  parent: { field: 'question_id', table: 'question' },
  operations: ['list', 'create'],
  list: AnswerQuery,
});
