// Generated from spec/. Edit the spec, then run `npm run generate`.
import * as client from '../runtime/client/index.ts';
import { answerOperations } from './help-desk/answer.client.ts';
import { archiveOperations } from './help-desk/archive.client.ts';
import { questionOperations } from './help-desk/question.client.ts';
import { settingsOperations } from './help-desk/settings.client.ts';

const resources = (requests: client.Requests) => ({
  helpDesk: {
    answer: answerOperations(requests),
    archive: archiveOperations(requests),
    question: questionOperations(requests),
    settings: settingsOperations(requests),
  },
});

/** Makes a client of Shop. */
export const createClient = (options: client.ClientOptions) => client.connect(options, '/api', resources);

export { ApiFailure, type ClientOptions, type Problem } from '../runtime/client/index.ts';
export type * from './help-desk/answer.client.ts';
export type * from './help-desk/archive.client.ts';
export type * from './help-desk/question.client.ts';
export type * from './help-desk/settings.client.ts';
