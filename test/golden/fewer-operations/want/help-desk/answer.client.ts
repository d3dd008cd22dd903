// Generated from spec/help-desk/answer.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** An answer to a question. */
export interface Answer {
  readonly id: string;
  idx: number;
  question_id: string;
  text: string;
}

export type AnswerCreate = client.Creatable<Answer, 'question_id' | 'text'>;

/** The operations of `/api/help-desk/answer`. */
export const answerOperations = (requests: client.Requests) => {
  const path = '/api/help-desk/answer';
  return {
    /** List the answers of a parent, by idx. */
    ...client.itemLists<Answer, client.ItemFilter>(requests, path),

    /** Create an answer. */
    create: client.create<Answer, AnswerCreate>(requests, path),
  };
};
