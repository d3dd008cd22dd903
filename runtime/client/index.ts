/** The parts of generated clients, which import nothing else and run in browsers. */
export type { Queued, Results, Writes } from './batch.ts';
export { connect, type Connected } from './connect.ts';
export { ApiFailure, type ClientProblem, type FieldError, type Problem, type ServerProblem } from './failure.ts';
export * from './operations.ts';
export { type ClientOptions, HttpRequests, type RequestOptions, type Requests } from './requests.ts';
export type * from './types.ts';
