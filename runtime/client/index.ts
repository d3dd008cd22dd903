/** The parts of generated clients, which import nothing else and run in browsers. */
export { connect, type Connected, type Queued, type Results, type Writes } from './batch.ts';
export {
  ApiFailure,
  type ClientProblem,
  type FailureClass,
  type FailureOf,
  type FieldError,
  type Problem,
  type ServerProblem,
} from './failure.ts';
export * from './operations.ts';
export {
  type ChangeOptions,
  type ClientOptions,
  HttpRequests,
  type RequestOptions,
  type Requests,
  type WriteOptions,
} from './requests.ts';
export type * from './types.ts';
