import type { ApiError } from '../model/errors.ts';
import type { PreparedWrite } from './prepare.ts';
import type { Records } from './store.ts';
import type { IsReadable } from './write.ts';
import type { Guard, ListGuard, Once, Rejections, Words, Origin, Write, WriteResult } from './write.ts';

/** Writes that are done together. */
export interface WriteRequest {
  readonly records: Records;
  readonly writes: readonly PreparedWrite[];
  /** Whether it is no more than a write, which needs no batch. */
  readonly isSingle?: true;
  /** Whether errors name the places of their writes. */
  readonly isBatch?: true;
  /** The error of a write that would follow them: none is done then. */
  readonly next?: ApiError | undefined;
  /** Bytes that the results may have together; `maxBatchResults` without it. */
  readonly maxResults?: number;
  readonly isReadable: IsReadable;
  readonly origin?: Origin | undefined;
  /** Whether it was composed before, and something that it relied on was another at the commit. */
  readonly isRepeated?: true;
}

/** A write of a unit. */
export interface UnitWrite extends PreparedWrite {
  /** The place of the requested write that it is, or that it was added to. */
  readonly at: number;
  /** Makes the error of the request if it fails. It is there if a feature has added the write, whose effect is not shown. */
  readonly explain?: (error: ApiError) => ApiError;
}

/** The writes of a request with those that features add, in the order in which they are done. */
export interface Unit {
  readonly writes: readonly UnitWrite[];
  /** The versions that it relies on: if one is another, the unit is composed again. */
  readonly guards?: readonly Guard[];
  /** The lists that it relies on: if one has changed, too. */
  readonly lists?: readonly ListGuard[];
  /** The error of a write that would follow them: none is done then. */
  readonly failure?: ApiError | undefined;
}

/** The result of a write, and the ids that `PreparedWrite` has. */
export interface Answer extends Pick<Once, 'ids'> {
  readonly result: WriteResult;
  /** Whether an earlier request has done it. */
  readonly isReplayed: boolean;
}

/** The steps by which the writes of a request are done. A feature puts its own in the place of the kernel's, and calls these. */
export interface WritePipeline {
  readonly words: Words<keyof Rejections>;
  /** @throws ApiError if the request is refused, or errors of the service itself */
  compose(request: WriteRequest): Promise<Unit>;
  /** Has the store do a write. A trial of no writes is refused. */
  commit(records: Records, write: Write, ids: Once['ids'], origin?: Origin): Promise<Answer>;
}
