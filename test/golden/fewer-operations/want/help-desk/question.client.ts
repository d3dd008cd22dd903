// Generated from spec/help-desk/question.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';
import type { Answer } from './answer.client.ts';

/** A question of a customer. */
export interface Question {
  readonly id: string;
  text: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type QuestionCreate = client.Creatable<Question>;
export type QuestionUpdate = client.Updatable<Question>;

/** The line items that questions can be shown with. */
export interface QuestionExpand {
  answer: Answer;
}

/** The operations of `/api/help-desk/question`. */
export const questionOperations = (requests: client.Requests) => {
  const path = '/api/help-desk/question';
  return {
    /** List questions, newest first. */
    ...client.lists<Question, client.RecordFilter, never, QuestionExpand>(requests, path),

    /** Create a question. */
    create: client.create<Question, QuestionCreate>(requests, path),

    /** Update a question. */
    update: client.update<Question, QuestionUpdate>(requests, path),
  };
};
